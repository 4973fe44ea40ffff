import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Invoice } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { FileField } from '@/ui/form/FileField';
import type { PickedFile } from '@/ui/form/FileField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { mostFileBytes } from '../payment/PaymentDialog';
import type { InvoiceMove } from '../tradesApi';
import { useMoney } from '../useTrades';
import { useMoveForm } from './useMoveForm';

type FileType = NonNullable<NonNullable<InvoiceMove['file']>>['type'];
const types = { 'application/pdf': ['pdf'], 'application/ofd': ['ofd'], 'application/xml': ['xml'] } as const satisfies Record<FileType, readonly string[]>;
/** Digits and letters, as on the invoice; spaces between groups are not part of it. */
export const InvoiceNumber = z
  .string()
  .transform((text) => text.normalize('NFKC').replaceAll(/\s/g, ''))
  .pipe(
    z
      .string()
      .min(1)
      .max(30)
      .regex(/^[0-9A-Za-z]+$/),
  );
const Issue = z.object({ number: InvoiceNumber });

/** Records an invoice that was issued elsewhere: its number and its file. */
export function IssueDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const [file, setFile] = useState<PickedFile<FileType> | null>(null);
  const form = useContractForm(Issue, { defaultValues: { number: '' } });
  useFormDraft(form, `account.invoice.${invoice.id}.issue`);
  const { submit, busy, failure, isFileRefused } = useMoveForm(form, {
    invoice,
    moveOf: ({ number }) => ({ to: 'issued', number, file: file && { name: file.name, type: file.type, content: file.content } }),
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('invoice.issueTitle')}
      lead={t('invoice.issueLead', { title: invoice.title, amount: money(invoice.amount, invoice.currency), type: t(`invoiceType.${invoice.type}`) })}
      submit={t('invoice.act.issue')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="number"
        label={t('invoice.number')}
        maxLength={40}
        verbatim
        autoFocus
        autoComplete="off"
        inputMode="numeric"
        messages={{ pattern: t('invoice.numberPattern'), duplicate: t('invoice.numberTaken'), taken: t('invoice.numberTaken') }}
      />
      <FileField
        label={t('invoice.file')}
        optional
        types={types}
        mostBytes={mostFileBytes}
        value={file}
        onPick={setFile}
        error={isFileRefused ? t('fileContent') : undefined}
      />
    </FormDialog>
  );
}
