import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order, OrderInput, OrderWhole } from '@contract/trades/ledger';
import { OrderInput as Input } from '@contract/trades/ledger';
import type { z } from 'zod';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { changes, conflicts } from '@/ui/form/conflicts';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { useChangeOrderMutation } from '../tradesApi';
import { useTell } from '../useTrades';

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

/** The fields that can still be edited on an order that is no longer a draft. */
export function NotesDialog({ order, onClose }: { readonly order: OrderWhole; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const tell = useTell();
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
      startFrom(form, notesOf(data));
      tell.good('form.saved', { number: data.number });
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
  return (
    <FormDialog
      form={form}
      title={t('step.notes')}
      lead={t('form.notesLead')}
      submit={t('save')}
      busy={isLoading}
      failure={failure}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      {theirs && (
        <StaleNotice
          differences={conflicts(notesOf(base), mine, notesOf(theirs)).map((field) => ({
            label: t(`form.${field}`),
            mine: mine[field],
            theirs: notesOf(theirs)[field],
          }))}
          onKeepMine={() => {
            setTheirs(null);
            setBase(theirs);
            void form.handleSubmit((values) => saveOnto(theirs, base, values))();
          }}
          onTakeTheirs={() => {
            setTheirs(null);
            setBase(theirs);
            startFrom(form, notesOf(theirs));
            form.setFocus('note');
          }}
        />
      )}
      <TextField
        control={form.control}
        name="note"
        label={t('form.note')}
        help={t('form.noteHelp')}
        optional
        multiline
        minRows={2}
        maxRows={8}
        maxLength={1000}
        autoFocus
      />
      <TextField
        control={form.control}
        name="memo"
        label={t('form.memo')}
        help={t('form.memoHelp')}
        optional
        multiline
        minRows={2}
        maxRows={8}
        maxLength={1000}
      />
    </FormDialog>
  );
}
