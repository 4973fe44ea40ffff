import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Invoice } from '@contract/trades/ledger';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { setServerErrors } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useMoveInvoiceMutation } from '../tradesApi';
import type { InvoiceMove } from '../tradesApi';
import { useTell } from '../useTrades';

/** Changes an invoice's state from a dialog: errors at their fields, others above them; on success a notice, and the dialog closes. */
export function useMoveForm<I extends FieldValues, O>(form: ContractForm<I, O>, invoice: Invoice, onClose: () => void) {
  const tell = useTell();
  const [move, { isLoading }] = useMoveInvoiceMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const send = async (body: InvoiceMove) => {
    setFailure(null);
    const { data, error } = await move({ id: invoice.id, revision: invoice.revision, body });
    if (!data) {
      if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
      return;
    }
    form.reset();
    tell.good(`invoice.did.${body.to}`, { title: data.title });
    onClose();
  };
  const fileFault = failure?.fields?.['file'] !== undefined;
  return { send, busy: isLoading, failure: fileFault ? null : failure, fileFault };
}
