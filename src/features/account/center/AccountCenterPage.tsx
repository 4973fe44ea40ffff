import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { selectSession } from '@/features/session/sessionSlice';
import { isFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { PageSkeleton } from '@/ui/skeletons';
import { useUserQuery } from '../accountApi';
import { selectUser } from '../userSlice';
import { LookSection } from './LookSection';
import { ProfileSection } from './ProfileSection';
import { SessionsSection } from './SessionsSection';
import { LoginNameSection, PasswordSection } from './SignInSection';

/** One's own account: who one is, how the console looks, how one signs in, where one is signed in. */
export function Component(): ReactElement {
  const { t } = useTranslation('account');
  const userId = useAppSelector(selectSession)?.userId ?? '';
  const { error, isFetching, refetch } = useUserQuery(userId, { skip: userId === '' });
  const user = useAppSelector(selectUser);
  if (!user) {
    if (isFailure(error) && !isFetching) return <ErrorPanel failure={error} onRetry={() => void refetch()} />;
    return <PageSkeleton kind="form" message={t('center.loading')} />;
  }
  return (
    <Box sx={{ maxWidth: 760 }}>
      <PageHeader title={t('center.title')} />
      <Box sx={{ '& > * + *': { borderTop: 1, borderColor: 'divider' }, '& > :first-of-type > section': { pt: 0 } }}>
        <ProfileSection user={user} />
        <LookSection user={user} />
        <LoginNameSection user={user} />
        <PasswordSection user={user} />
        <SessionsSection />
      </Box>
    </Box>
  );
}
