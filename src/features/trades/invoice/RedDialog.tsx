import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { redReasons } from '@contract/trades/ledger';
import type { Invoice } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { useMoney } from '../useTrades';
import { InvoiceNumber } from './IssueDialog';
import { useMoveForm } from './useMoveForm';

const Red = z.object({ number: InvoiceNumber, redReason: z.enum(redReasons) });

/** An issued invoice is reversed by a red one; what it covered can be invoiced again. */
export function RedDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const form = useContractForm(Red, { defaultValues: { number: '', redReason: 'mistake' } });
  useFormDraft(form, `account.invoice.${invoice.id}.red`);
  const { submit, busy, failure } = useMoveForm(form, { invoice, moveOf: ({ number, redReason }) => ({ to: 'red', number, redReason }), onClose });
  return (
    <FormDialog
      form={form}
      title={t('invoice.redTitle')}
      lead={t('invoice.redLead', { number: invoice.number, amount: money(invoice.amount, invoice.currency) })}
      submit={t('invoice.act.red')}
      busy={busy}
      failure={failure}
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="redReason"
        label={t('invoice.redReason')}
        choices={redReasons.map((reason) => ({ value: reason, label: t(`red.${reason}`) }))}
      />
      <TextField
        control={form.control}
        name="number"
        label={t('invoice.redNumber')}
        maxLength={40}
        verbatim
        autoFocus
        autoComplete="off"
        inputMode="numeric"
        messages={{ pattern: t('invoice.numberPattern'), duplicate: t('invoice.numberTaken'), taken: t('invoice.numberTaken') }}
      />
    </FormDialog>
  );
}
