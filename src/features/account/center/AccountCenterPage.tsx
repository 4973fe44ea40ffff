import { Box } from '@mui/material';
import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@contract/session/schemas';
import { selectSession } from '@/features/session/sessionSlice';
import { oneOf, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { PageSkeleton, RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { useUserQuery } from '../accountApi';
import { selectUser } from '../userSlice';
import { LookSection } from './LookSection';
import { ProfileSection } from './ProfileSection';
import { SessionsSection } from './SessionsSection';

const SecurityTab = lazy(() => import(/* webpackChunkName: "account-security" */ '../security/SecurityTab'));
const HistoryTab = lazy(() => import(/* webpackChunkName: "account-history" */ './HistoryTab'));
const TokensTab = lazy(() => import(/* webpackChunkName: "account-tokens" */ './TokensTab'));
const NoticesTab = lazy(() => import(/* webpackChunkName: "account-more" */ './NoticesTab'));
const DataTab = lazy(() => import(/* webpackChunkName: "account-more" */ './DataTab'));

const tabs = ['profile', 'security', 'sessions', 'history', 'tokens', 'notices', 'data'] as const;
type Tab = (typeof tabs)[number];
const address = { tab: oneOf(tabs, 'profile') };

const lines = { '& > * + *': { borderTop: 1, borderColor: 'divider' }, '& > section:first-child, & > :first-child > section:first-child': { pt: 0 } } as const;

const parts: Readonly<Record<Tab, (user: User) => ReactElement>> = {
  profile: (user) => (
    <Box sx={lines}>
      <ProfileSection user={user} />
      <LookSection user={user} />
    </Box>
  ),
  security: (user) => <SecurityTab user={user} />,
  sessions: () => (
    <Box sx={lines}>
      <SessionsSection />
    </Box>
  ),
  history: () => <HistoryTab />,
  tokens: () => <TokensTab />,
  notices: (user) => <NoticesTab user={user} />,
  data: (user) => <DataTab user={user} />,
};
/** Tables and lists are wider than forms. */
const width: Partial<Record<Tab, number>> = { history: 1040, tokens: 880 };

/** The person's own account, one tab per subject, each with its address (`?tab=`). */
export function Component(): ReactElement {
  const { t } = useTranslation('account');
  const userId = useAppSelector(selectSession)?.userId ?? '';
  const { error, isFetching, refetch } = useUserQuery({ id: userId }, { skip: userId === '' });
  const user = useAppSelector(selectUser);
  const [{ tab }] = useSearchState(address);
  if (!user) {
    if (isFailure(error) && !isFetching) return <ErrorPanel failure={error} onRetry={() => void refetch()} />;
    return <PageSkeleton kind="form" message={t('center.loading')} />;
  }
  return (
    <>
      <PageHeader title={t('center.title')} />
      <TabLinks label={t('tab.label')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tab.${id}`), to: id === 'profile' ? '?' : `?tab=${id}` }))} />
      <Box key={tab} sx={{ maxWidth: width[tab] ?? 760, pt: 1 }}>
        <Suspense fallback={<RowsSkeleton rows={6} />}>{parts[tab](user)}</Suspense>
      </Box>
    </>
  );
}
