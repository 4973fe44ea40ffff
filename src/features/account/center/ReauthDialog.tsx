import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { PasswordField } from '@/ui/form/PasswordField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useReauthMutation } from '../accountApi';

const Reauth = z.object({ password: z.string().min(1).max(128) });

/** Asks for the password; closes with whether it was right. */
export function ReauthDialog({ onAnswer }: { readonly onAnswer: (proven: boolean) => void }): ReactElement {
  const { t } = useTranslation('account');
  const titleId = useId();
  const [reauth, { isLoading }] = useReauthMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Reauth, { defaultValues: { password: '' } });
  const submit = async (body: z.output<typeof Reauth>) => {
    setFailure(null);
    const { error } = await reauth(body);
    if (!isFailure(error)) return onAnswer(true);
    if (!setServerErrors(form, error)) setFailure(error);
    return undefined;
  };
  return (
    <Dialog open onClose={() => onAnswer(false)} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('reauth.title')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('reauth.text')}
          </Typography>
          {failure && <ErrorPanel failure={failure} />}
          <PasswordField control={form.control} name="password" label={t('reauth.password')} autoComplete="current-password" autoFocus />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={() => onAnswer(false)}>{t('reauth.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('reauth.confirm')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
