import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeName } from '@contract/text';
import type { ApiToken } from '@contract/tokens/schemas';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useRenameTokenMutation } from './centerApi';

const Name = z.object({ name: safeName(60) });

/** Another name for a token; its value and rights stay. */
export function TokenNameDialog({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const titleId = useId();
  const [rename, { isLoading }] = useRenameTokenMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Name, { defaultValues: { name: token.name } });
  const submit = async ({ name }: z.output<typeof Name>) => {
    setFailure(null);
    const { error } = await rename({ id: token.id, body: { name } });
    if (!isFailure(error)) onClose();
    else if (!setServerErrors(form, error)) setFailure(error);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('tokens.renameTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {failure && <ErrorPanel failure={failure} title={t('tokens.failed')} />}
          <TextField control={form.control} name="name" label={t('tokens.name')} maxLength={60} autoFocus />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={onClose}>{t('tokens.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={isLoading}>
            {t('tokens.saveName')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
