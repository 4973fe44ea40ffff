import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { accountCalls } from '@contract/account/calls';
import type { User } from '@contract/session/schemas';
import { signedOut } from '@/store/events';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { FormSection } from '@/ui/form/FormSection';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { useCloseAccountMutation } from './centerApi';

const consequences = ['signIn', 'tokens', 'content', 'never'] as const;

/** Data export and account deletion. */
export default function DataTab({ user }: { readonly user: User }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const messageOf = useFailureMessage();
  const [asking, setAsking] = useState(false);
  const [close] = useCloseAccountMutation();

  const leave = async (): Promise<string | null> => {
    const { error } = await close({ body: { confirm: user.loginName } });
    if (isFailure(error)) return error.code === 'last_owner' ? t('data.lastOwner') : messageOf(error);
    dispatch(signedOut());
    return null;
  };
  const list = (
    <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
      {consequences.map((one) => (
        <li key={one}>{t(`data.then.${one}`)}</li>
      ))}
    </Box>
  );
  return (
    <Box sx={{ '& > * + *': { borderTop: 1, borderColor: 'divider' }, '& > section:first-of-type': { pt: 0 } }}>
      <FormSection title={t('data.export')} lead={t('data.exportLead')}>
        <Typography variant="body2">{t('data.exportText')}</Typography>
        <Box>
          <Button variant="outlined" component="a" href={accountCalls.exportAccount.path} download>
            {t('data.download')}
          </Button>
        </Box>
      </FormSection>
      <FormSection title={t('data.close')} lead={t('data.closeLead')}>
        <Typography variant="body2" component="div">
          {list}
        </Typography>
        <Box>
          <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
            {t('data.closeButton')}
          </Button>
        </Box>
      </FormSection>
      <TypedConfirm
        open={asking}
        title={t('data.closeTitle')}
        phrase={user.loginName}
        confirmLabel={t('data.closeButton')}
        onConfirm={leave}
        onClose={() => setAsking(false)}
      >
        {list}
      </TypedConfirm>
    </Box>
  );
}
