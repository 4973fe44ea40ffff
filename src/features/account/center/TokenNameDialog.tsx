import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeName } from '@contract/text';
import type { ApiToken } from '@contract/tokens/schemas';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useRenameTokenMutation } from './centerApi';

const Name = z.object({ name: safeName(60) });

/** Renames a token; its value and scopes are unchanged. */
export function TokenNameDialog({ token, onClose }: { readonly token: ApiToken; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const [rename] = useRenameTokenMutation();
  const form = useContractForm(Name, { defaultValues: { name: token.name } });
  const { submit, busy, failure } = useSubmit(form, { send: (body) => rename({ id: token.id, body }), onSuccess: onClose });
  return (
    <FormDialog
      form={form}
      title={t('tokens.renameTitle')}
      submitLabel={t('tokens.saveName')}
      cancelLabel={t('tokens.cancel')}
      busy={busy}
      failure={failure}
      failureTitle={t('tokens.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t('tokens.name')} maxLength={60} autoFocus />
    </FormDialog>
  );
}
