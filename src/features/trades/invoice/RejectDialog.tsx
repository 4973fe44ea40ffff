import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Invoice } from '@contract/trades/ledger';
import { safeText } from '@contract/text';
import { useFormDraft } from '@/features/session/useFormDraft';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { useMoveForm } from './useMoveForm';

const Reject = z.object({ reason: safeText(200).pipe(z.string().min(1)) });

/** Rejects a request; the customer sees the reason. */
export function RejectDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const form = useContractForm(Reject, { defaultValues: { reason: '' } });
  useFormDraft(form, `account.invoice.${invoice.id}.reject`);
  const { submit, busy, failure } = useMoveForm(form, { invoice, moveOf: ({ reason }) => ({ to: 'rejected', reason }), onClose });
  return (
    <FormDialog
      form={form}
      title={t('invoice.rejectTitle')}
      lead={t('invoice.rejectLead')}
      submit={t('invoice.act.reject')}
      busy={busy}
      failure={failure}
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="reason" label={t('invoice.reason')} maxLength={200} autoFocus multiline minRows={2} maxRows={5} />
    </FormDialog>
  );
}
