import { useState } from 'react';
import type { Order } from '@contract/trades/ledger';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { setServerErrors, resetForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useAddInvoiceMutation } from '../tradesApi';
import { useTradeNotices } from '../useTrades';
import { readLines, startLines } from './InvoiceLines';
import type { LineErrors, TypedLines } from './InvoiceLines';
import { blankTitle } from './titleForm';
import type { ReadTitle, TypedTitle } from './titleForm';

/** The orders whose amount the server refuses: the part that can still be invoiced has become smaller. */
export const refusedOrders = (failure: ApiFailure, orders: readonly { readonly orderId: string }[]): string[] =>
  Object.keys(failure.fields ?? {}).flatMap((path) => orders[Number(/^orders\.(\d+)\.amount$/.exec(path)?.[1])]?.orderId ?? []);

type Options = {
  readonly orders: readonly Order[];
  /** Called if the orders have changed on the server. */
  readonly onStale: () => void;
  readonly onClose: () => void;
  /** Called with the first order whose amount is invalid. */
  readonly onInvalidLine: (orderId: string) => void;
};

/** The amounts of a requested invoice, which are beside the form of its title, and its submission. */
export function useInvoiceRequest(form: ContractForm<TypedTitle, ReadTitle>, { orders, onStale, onClose, onInvalidLine }: Options) {
  const notify = useTradeNotices();
  const [add, { isLoading }] = useAddInvoiceMutation();
  const [lines, setLines] = useState<TypedLines>(() => startLines(orders));
  const [lineErrors, setLineErrors] = useState<LineErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const changeLines = (next: TypedLines) => {
    setLines(next);
    setLineErrors({});
  };
  const submit = async (title: ReadTitle) => {
    setFailure(null);
    const read = readLines(orders, lines);
    setLineErrors(read.errors);
    if (!read.orders) return onInvalidLine(orders.find((one) => one.id in read.errors)?.id ?? orders[0]?.id ?? '');
    const { data, error } = await add({ body: { ...title, orders: read.orders } });
    if (data) {
      resetForm(form, blankTitle);
      notify.good('invoice.requested', { title: data.title });
      return onClose();
    }
    if (!isFailure(error) || setServerErrors(form, error)) return;
    const refused = refusedOrders(error, read.orders);
    if (refused.length === 0) return setFailure(error);
    // Somebody else has requested an invoice for a part of it meanwhile.
    setLineErrors(Object.fromEntries(refused.map((id) => [id, 'tooMuch'])));
    onStale();
  };
  return { lines, lineErrors, changeLines, submit, busy: isLoading, failure };
}
