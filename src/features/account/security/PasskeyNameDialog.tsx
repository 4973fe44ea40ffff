import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Passkey } from '@contract/account/factors';
import { safeName } from '@contract/text';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useRenamePasskeyMutation } from '../securityApi';

const Name = z.object({ name: safeName(40) });

/** Renames a passkey; the device is not affected. */
export function PasskeyNameDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('security');
  const [rename] = useRenamePasskeyMutation();
  const form = useContractForm(Name, { defaultValues: { name: passkey.name } });
  const { submit, busy, failure } = useSubmit(form, { send: (body) => rename({ id: passkey.id, body }), onSuccess: onClose });
  return (
    <FormDialog
      form={form}
      title={t('passkey.renameTitle')}
      submitLabel={t('passkey.save')}
      busy={busy}
      failure={failure}
      failureTitle={t('factors.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t('passkey.name')} help={t('passkey.nameHelp')} maxLength={40} autoFocus />
    </FormDialog>
  );
}
