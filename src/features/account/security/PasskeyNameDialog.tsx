import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Passkey } from '@contract/account/factors';
import { safeName } from '@contract/text';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useRenamePasskeyMutation } from '../securityApi';

const Name = z.object({ name: safeName(40) });

/** Another name for a passkey; the passkey itself does not know it. */
export function PasskeyNameDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('security');
  const titleId = useId();
  const [rename, { isLoading }] = useRenamePasskeyMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Name, { defaultValues: { name: passkey.name } });
  const submit = async ({ name }: z.output<typeof Name>) => {
    setFailure(null);
    const { error } = await rename({ id: passkey.id, body: { name } });
    if (!isFailure(error)) onClose();
    else if (!setServerErrors(form, error)) setFailure(error);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('passkey.renameTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {failure && <ErrorPanel failure={failure} title={t('factors.failed')} />}
          <TextField control={form.control} name="name" label={t('passkey.name')} help={t('passkey.nameHelp')} maxLength={40} autoFocus />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={onClose}>{t('factors.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('passkey.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
