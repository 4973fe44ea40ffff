import { Box, Button, Divider, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSecurityQuery } from '@/features/account/securityApi';
import { requestPasskey, loadPasskeys, passkeysWork } from '@/lib/passkeys';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { FormDialog } from '@/ui/form/FormDialog';
import { PasswordField } from '@/ui/form/PasswordField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useReauthMutation, useReauthPasskeyMutation, useReauthPasskeyOptionsMutation } from './reauthApi';

const Reauth = z.object({ password: z.string().min(1).max(128) });

type Props = { readonly onAnswer: (proven: boolean) => void };

/** The passkey button, for people with a passkey and browsers that support it. */
function ByPasskey({ onAnswer, onFailure }: Props & { readonly onFailure: (failure: ApiFailure | null) => void }): ReactElement {
  const { t } = useTranslation('session');
  const [begin] = useReauthPasskeyOptionsMutation();
  const [verify] = useReauthPasskeyMutation();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<'passkeyCancelled' | 'passkeyRefused' | null>(null);
  useEffect(() => void loadPasskeys().catch(() => undefined), []);

  const prove = async () => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    onFailure(null);
    const begun = await begin();
    if (begun.data) {
      const passkeyResult = await requestPasskey(begun.data.options);
      if (!passkeyResult.ok) setTrouble(passkeyResult.trouble === 'cancelled' ? 'passkeyCancelled' : 'passkeyRefused');
      else {
        const { error } = await verify({ body: { challengeId: begun.data.challengeId, response: passkeyResult.response } });
        if (!isFailure(error)) return onAnswer(true);
        if (error.code === 'bad_code') setTrouble('passkeyRefused');
        else onFailure(error);
      }
    } else if (isFailure(begun.error)) onFailure(begun.error);
    setBusy(false);
    return undefined;
  };
  return (
    <>
      <Box>
        <Button fullWidth variant="outlined" onClick={() => void prove()} aria-busy={busy}>
          {t(busy ? 'proof.passkeyFirst' : 'proof.passkey')}
        </Button>
        {trouble && (
          <Typography role="alert" variant="caption" component="p" sx={{ mt: 0.5, color: 'error.main' }}>
            {t(`proof.${trouble}`)}
          </Typography>
        )}
      </Box>
      <Divider sx={{ typography: 'caption', color: 'text.secondary' }}>{t('proof.or')}</Divider>
    </>
  );
}

/** Asks for the password, or for a passkey if the person has one; closes with whether it was correct. */
export default function ReauthDialog({ onAnswer }: Props): ReactElement {
  const { t } = useTranslation('session');
  const { data: security } = useSecurityQuery();
  const [reauth] = useReauthMutation();
  const [passkeyFailure, setPasskeyFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Reauth, { defaultValues: { password: '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body: z.output<typeof Reauth>) => {
      setPasskeyFailure(null);
      return reauth({ body });
    },
    onSuccess: () => onAnswer(true),
  });
  return (
    <FormDialog
      form={form}
      title={t('proof.title')}
      lead={t('proof.text')}
      submitLabel={t('proof.confirm')}
      cancelLabel={t('proof.cancel')}
      busy={busy}
      failure={passkeyFailure ?? failure}
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={() => onAnswer(false)}
    >
      {security !== undefined && security.passkeys.length > 0 && passkeysWork() && <ByPasskey onAnswer={onAnswer} onFailure={setPasskeyFailure} />}
      <PasswordField control={form.control} name="password" label={t('proof.password')} autoComplete="current-password" autoFocus />
    </FormDialog>
  );
}
