import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Divider, Typography } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSecurityQuery } from '@/features/account/securityApi';
import { askPasskey, loadPasskeys, passkeysWork } from '@/lib/passkeys';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { PasswordField } from '@/ui/form/PasswordField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useReauthMutation, useReauthPasskeyMutation, useReauthPasskeyOptionsMutation } from './reauthApi';

const Reauth = z.object({ password: z.string().min(1).max(128) });

type Props = { readonly onAnswer: (proven: boolean) => void };

/** The passkey's button, for people who have one and browsers that can ask for it. */
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
      const asked = await askPasskey(begun.data.options);
      if (!asked.ok) setTrouble(asked.trouble === 'cancelled' ? 'passkeyCancelled' : 'passkeyRefused');
      else {
        const { error } = await verify({ body: { challengeId: begun.data.challengeId, response: asked.response } });
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

/** Asks for the password, or for a passkey where the person has one; closes with whether it was right. */
export function ReauthDialog({ onAnswer }: Props): ReactElement {
  const { t } = useTranslation('session');
  const titleId = useId();
  const { data: security } = useSecurityQuery();
  const [reauth, { isLoading }] = useReauthMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Reauth, { defaultValues: { password: '' } });
  const submit = async (body: z.output<typeof Reauth>) => {
    setFailure(null);
    const { error } = await reauth({ body });
    if (!isFailure(error)) return onAnswer(true);
    if (!setServerErrors(form, error)) setFailure(error);
    return undefined;
  };
  return (
    <Dialog open onClose={() => onAnswer(false)} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('proof.title')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('proof.text')}
          </Typography>
          {failure && <ErrorPanel failure={failure} />}
          {security !== undefined && security.passkeys.length > 0 && passkeysWork() && <ByPasskey onAnswer={onAnswer} onFailure={setFailure} />}
          <PasswordField control={form.control} name="password" label={t('proof.password')} autoComplete="current-password" autoFocus />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={() => onAnswer(false)}>{t('proof.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('proof.confirm')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
