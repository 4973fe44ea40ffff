import { useState } from 'react';
import type { Order, OrderInput } from '@contract/trades/ledger';
import { OrderInput as Input } from '@contract/trades/ledger';
import type { z } from 'zod';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { changes, conflicts } from '@/ui/form/conflicts';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useChangeOrderMutation } from '../tradesApi';
import { useTradeNotices } from '../useTrades';

const Notes = Input.pick({ note: true, memo: true });
type Values = { note: string; memo: string };
const notesOf = ({ note, memo }: Order): Values => ({ note, memo: memo ?? '' });

/** The order as the server accepts it, with other notes: all other fields are final and unchanged. */
const inputOf = (order: Order, notes: Values): OrderInput => ({
  customerId: order.customer.id ?? '',
  siteId: order.site?.id ?? null,
  kind: order.kind,
  title: order.title,
  currency: order.currency,
  items: order.items.map(({ name, quantity, unitPrice, discount, taxRate }) => ({ name, quantity, unitPrice, discount, taxRate })),
  period: order.period,
  renewalNote: order.renewalNote,
  dueAt: order.dueAt,
  ...notes,
});

/** The form of an order's notes. If somebody else changed the order, only notes that both changed are left to the person (`stale`). */
export function useNotesForm(order: Order, onClose: () => void) {
  const notify = useTradeNotices();
  const [change, { isLoading }] = useChangeOrderMutation();
  const [base, setBase] = useState<Order>(order);
  const [theirs, setTheirs] = useState<Order | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm<Values, z.output<typeof Notes>>(Notes as z.ZodType<z.output<typeof Notes>, Values>, { defaultValues: notesOf(order) });
  useFormDraft(form, `account.order.${order.id}.notes`);

  const saveOnto = async (onto: Order, before: Order, mine: Values): Promise<void> => {
    const { data, error } = await change({
      id: onto.id,
      revision: onto.revision,
      body: inputOf(onto, { ...notesOf(onto), ...changes(notesOf(before), mine) }),
    });
    if (data) {
      resetForm(form, notesOf(data));
      notify.good('form.saved', { number: data.number });
      return onClose();
    }
    const current = isFailure(error) && isStale(error) ? (error.current as Order | undefined) : undefined;
    if (current && conflicts(notesOf(before), mine, notesOf(current)).length > 0) return setTheirs(current);
    if (current && current.revision !== onto.revision) return saveOnto(current, before, mine);
    if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  const submit = (values: Values) => {
    setFailure(null);
    setTheirs(null);
    return saveOnto(base, base, values);
  };
  const mine = form.getValues();
  const stale = theirs && {
    differences: conflicts(notesOf(base), mine, notesOf(theirs)).map((field) => ({ field, mine: mine[field], theirs: notesOf(theirs)[field] })),
    keepMine: () => {
      setTheirs(null);
      setBase(theirs);
      void form.handleSubmit((values) => saveOnto(theirs, base, values))();
    },
    takeTheirs: () => {
      setTheirs(null);
      setBase(theirs);
      resetForm(form, notesOf(theirs));
      form.setFocus('note');
    },
  };
  return { form, submit, busy: isLoading, failure, stale };
}
