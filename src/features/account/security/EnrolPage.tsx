import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { NoticeHost } from '@/features/notices/NoticeHost';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useSignOutMutation } from '@/features/session/sessionApi';
import { selectSession } from '@/features/session/sessionSlice';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useSecurityQuery } from '../securityApi';
import { selectUser } from '../userSlice';
import { FactorRow } from './FactorRow';
import { PasskeyDialog } from './PasskeyDialog';
import { PasswordSection } from './PasswordSection';
import { TotpDialog } from './TotpDialog';

/** Signs out, and shows whose account it is. */
function SignOutRow(): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const user = useAppSelector(selectUser);
  const [signOut, { isLoading: leaving }] = useSignOutMutation();
  const leave = async () => {
    const { error } = await signOut();
    notifyFailure(dispatch, error);
  };
  return (
    <Box sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'divider', display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      {user && (
        <Typography variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('enrol.as', { name: user.loginName })}
        </Typography>
      )}
      <Button aria-busy={leaving} onClick={() => void leave()}>
        {t('enrol.signOut')}
      </Button>
    </Box>
  );
}

/** Replaces the console while a second factor must be set up: the ways to do that, and sign-out. */
export default function EnrolPage(): ReactElement {
  const { t } = useTranslation('security');
  const session = useAppSelector(selectSession);
  const user = useAppSelector(selectUser);
  const result = useSecurityQuery();
  const refreshSession = useSessionRefresh();
  const [adding, setAdding] = useState<'totp' | 'passkey' | null>(null);
  const [entering, setEntering] = useState(false);
  // The policy sets a day; without one the password is too short to be the only factor.
  const short = session?.enrolBy === null;

  const close = () => setAdding(null);
  const enter = () => {
    close();
    setEntering(true);
    refreshSession();
  };
  return (
    <Box component="main" sx={{ maxWidth: 640, mx: 'auto', px: 3, pt: { xs: 4, sm: 10 }, pb: 6 }}>
      <Typography component="h1" variant="h1">
        {t('enrol.title')}
      </Typography>
      <Typography variant="body2" sx={{ mt: 1, mb: 4, color: 'text.secondary' }}>
        {entering ? t('enrol.entering') : t(short ? 'enrol.short' : 'enrol.lead')}
      </Typography>
      <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
        {(security) => (
          <>
            <Box role="group" aria-label={t('enrol.ways')}>
              <FactorRow
                title={t('totp.title')}
                level="h2"
                lead={t('totp.lead')}
                action={
                  <Button variant="contained" aria-label={t('totp.addNamed')} onClick={() => setAdding('totp')}>
                    {t('totp.add')}
                  </Button>
                }
              />
              <FactorRow
                title={t('passkey.title')}
                level="h2"
                lead={t('passkey.lead')}
                action={
                  <Button variant="contained" aria-label={t('passkey.addNamed')} onClick={() => setAdding('passkey')}>
                    {t('passkey.add')}
                  </Button>
                }
              />
            </Box>
            {short && user && (
              <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
                <PasswordSection user={user} security={security} title={t('enrol.orPassword')} onChanged={enter} />
              </Box>
            )}
          </>
        )}
      </ResultState>
      <SignOutRow />
      {adding === 'totp' && <TotpDialog onClose={close} onDone={enter} />}
      {adding === 'passkey' && <PasskeyDialog onClose={close} onDone={enter} />}
      <NoticeHost />
    </Box>
  );
}
