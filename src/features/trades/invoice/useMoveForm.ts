import type { FieldValues } from 'react-hook-form';
import type { Invoice } from '@contract/trades/ledger';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useMoveInvoiceMutation } from '../tradesApi';
import type { InvoiceMove } from '../tradesApi';
import { useTradeNotices } from '../useTrades';

type Options<O> = {
  readonly invoice: Invoice;
  /** The call for what was entered. */
  readonly moveOf: (input: O) => InvoiceMove;
  readonly onClose: () => void;
};

/** Changes an invoice's state from a dialog: errors at their fields, others above them; on success a notice, and the dialog closes. */
export function useMoveForm<I extends FieldValues, O extends FieldValues>(form: ContractForm<I, O>, { invoice, moveOf, onClose }: Options<O>) {
  const notify = useTradeNotices();
  const [move] = useMoveInvoiceMutation();
  const { submit, busy, failure } = useSubmit(form, {
    send: async (input: O) => {
      const body = moveOf(input);
      const { data, error } = await move({ id: invoice.id, revision: invoice.revision, body });
      return { data: data && { to: body.to, title: data.title }, error };
    },
    onSuccess: ({ to, title }) => {
      form.reset();
      notify.good(`invoice.did.${to}`, { title });
      onClose();
    },
  });
  const isFileRefused = failure?.fields?.['file'] !== undefined;
  return { submit, busy, failure: isFileRefused ? null : failure, isFileRefused };
}
