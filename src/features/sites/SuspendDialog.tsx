import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeText } from '@contract/text';
import type { Site } from '@contract/sites/schemas';
import { baseLimits } from '@contract/sites/terms';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { siteStateRequested } from './sitesListeners';

const most = baseLimits.suspensionReason;
const Suspension = z.object({ reason: safeText(most).min(1) });

/** Why a site is suspended. It is suspended immediately, with an undo, so that the dialog does not wait. */
export default function SuspendDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const dispatch = useAppDispatch();
  const form = useContractForm(Suspension, { defaultValues: { reason: '' } });
  const suspend = ({ reason }: z.output<typeof Suspension>): void => {
    onClose();
    dispatch(siteStateRequested({ id: site.id, to: 'suspended', reason }));
  };
  return (
    <FormDialog
      form={form}
      title={t('suspend.title', { name: site.name })}
      lead={t('suspend.text')}
      submitLabel={t('suspend.confirm')}
      cancelLabel={t('suspend.cancel')}
      onSubmit={suspend}
      onClose={onClose}
    >
      <TextField control={form.control} name="reason" label={t('suspend.reason')} help={t('suspend.help')} maxLength={most} multiline minRows={2} autoFocus />
    </FormDialog>
  );
}
