import { Box, Button, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import type { FieldPath } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { currencies, orderKinds } from '@contract/trades/ledger';
import type { Order, OrderInput, OrderWhole } from '@contract/trades/ledger';
import { useDraft } from '@/features/session/useDraft';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ComboField } from '@/ui/form/ComboField';
import { changes, conflicts } from '@/ui/form/conflicts';
import { DateField } from '@/ui/form/DateField';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { useAddOrderMutation, useChangeOrderMutation, useCustomersQuery } from '../tradesApi';
import { useTradeNotices } from '../useTrades';
import { ItemsEditor } from './ItemsEditor';
import { OrderForm as OrderFormSchema, blankOrder, typedOrder } from './orderForm';
import type { TypedOrder } from './orderForm';
import { useOrderText } from './useOrderText';

type Values = z.output<typeof OrderInput>;
/** Whether closing would lose input, and how to discard it. */
export type Typing = { readonly dirty: boolean; readonly discard: () => void };

type Props = {
  /** null: a new one. */
  readonly order: OrderWhole | null;
  readonly onTyping: (typing: Typing) => void;
  readonly onDone: (saved: OrderWhole) => void;
  readonly onCancel: () => void;
};

const pair = { display: 'grid', gap: 2.5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } } as const;

/** Form fields of the server's field names. */
const placed = (failure: ApiFailure): Record<string, FieldPath<TypedOrder>> =>
  Object.fromEntries(
    Object.keys(failure.fields ?? {}).flatMap((path): [string, FieldPath<TypedOrder>][] => {
      if (/^items\.\d+\.\w+$/.test(path)) return [[path, path as `items.0.name`]];
      if (/^items(\.\d+)?$/.test(path)) return [[path, 'items.0.unitPrice']];
      if (path.startsWith('period')) return [[path, path === 'period.from' ? 'from' : 'to']];
      return [];
    }),
  );

type Choices = readonly { readonly value: string; readonly label: string }[];

type Named = { readonly id: string; readonly name: string };
type CustomerLists = { readonly people: readonly Named[]; readonly sites: readonly Named[] };

/** Customers and sites to choose from. A draft keeps one that is no longer listed. */
function useChoices(customers: CustomerLists | undefined, base: Order | null): { readonly people: Choices; readonly sites: Choices } {
  const { t } = useTranslation('trades');
  const people = (customers?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (base?.customer.id && !people.some((one) => one.value === base.customer.id)) people.unshift({ value: base.customer.id, label: base.customer.name });
  const sites = [{ value: '', label: t('form.noSite') }, ...(customers?.sites ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  if (base?.site && !sites.some((one) => one.value === base.site?.id)) sites.push({ value: base.site.id, label: base.site.name });
  return { people, sites };
}

type FieldsProps = {
  readonly form: ContractForm<TypedOrder, Values>;
  readonly currency: TypedOrder['currency'];
  readonly people: Choices;
  readonly sites: Choices;
  readonly isNew: boolean;
};

function OrderFields({ form, currency, people, sites, isNew }: FieldsProps): ReactElement {
  const { t } = useTranslation('trades');
  const { control } = form;
  return (
    <>
      <TextField control={control} name="title" label={t('form.title')} maxLength={100} autoFocus={isNew} autoComplete="off" />
      <Box sx={pair}>
        <ComboField control={control} name="customerId" label={t('form.customerId')} options={people} />
        <ComboField control={control} name="siteId" label={t('form.siteId')} optional options={sites} />
        <SelectField control={control} name="kind" label={t('form.kind')} choices={orderKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))} />
        <SelectField
          control={control}
          name="currency"
          label={t('form.currency')}
          choices={currencies.map((one) => ({ value: one, label: t(`currency.${one}`), detail: one }))}
        />
      </Box>
      <ItemsEditor form={form} currency={currency} />
      <Box sx={{ ...pair, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' } }}>
        <DateField control={control} name="from" label={t('form.from')} optional />
        <DateField control={control} name="to" label={t('form.to')} optional messages={{ out_of_range: t('form.toBeforeFrom') }} />
        <DateField control={control} name="dueAt" label={t('form.dueAt')} optional help={t('form.dueHelp')} />
      </Box>
      <TextField control={control} name="renewalNote" label={t('form.renewalNote')} optional maxLength={200} help={t('form.renewalHelp')} autoComplete="off" />
      <TextField control={control} name="note" label={t('form.note')} optional multiline minRows={2} maxRows={8} maxLength={1000} help={t('form.noteHelp')} />
      <TextField control={control} name="memo" label={t('form.memo')} optional multiline minRows={2} maxRows={8} maxLength={1000} help={t('form.memoHelp')} />
    </>
  );
}

function Footer({ busy, onCancel }: { readonly busy: boolean; readonly onCancel: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Box
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        display: 'flex',
        justifyContent: 'flex-end',
        gap: 1,
        px: 3,
        py: 1.5,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Button onClick={onCancel}>{t('cancel')}</Button>
      <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
        {t(busy ? 'saving' : 'form.save')}
      </Button>
    </Box>
  );
}

/** Stores the input as a draft in this browser, and reports to the surrounding drawer whether closing would lose input. */
function useTypedDraft(form: ContractForm<TypedOrder, Values>, order: OrderWhole | null, isDirty: boolean, onTyping: (typing: Typing) => void) {
  const key = `account.order.${order?.id ?? 'new'}`;
  useFormDraft(form, key);
  const { restored, drop } = useDraft<TypedOrder>(key);
  const blocker = useUnsavedWork(isDirty);
  useEffect(() => onTyping({ dirty: isDirty, discard: drop }), [isDirty, drop, onTyping]);
  useEffect(() => () => onTyping({ dirty: false, discard: () => undefined }), [onTyping]);
  return { restored, drop, blocker };
}

function RestoredNote(): ReactElement {
  const { t } = useTranslation('trades');
  return (
    <Typography role="status" variant="body2" sx={{ color: 'text.secondary' }}>
      {t('form.restored')}
    </Typography>
  );
}

/** A new or changed draft. After a conflict both versions are shown; fields that only one side changed are merged. */
export function OrderForm({ order, onTyping, onDone, onCancel }: Props): ReactElement {
  const { t } = useTranslation('trades');
  const notify = useTradeNotices();
  const textOf = useOrderText();
  const { data: customers, error: customersError, refetch, isFetching } = useCustomersQuery();
  const [add, adding] = useAddOrderMutation();
  const [change, changing] = useChangeOrderMutation();
  const [base, setBase] = useState<Order | null>(order);
  const [theirs, setTheirs] = useState<Order | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const start = base === null ? blankOrder() : typedOrder(base);
  const form = useContractForm<TypedOrder, Values>(OrderFormSchema, { defaultValues: start });
  const { control } = form;
  const { isDirty } = useFormState({ control });
  const { restored, drop, blocker } = useTypedDraft(form, order, isDirty, onTyping);
  const currency = useWatch({ control, name: 'currency' });

  const done = (saved: OrderWhole, said: 'saved' | 'added') => {
    resetForm(form, typedOrder(saved));
    drop();
    notify.good(`form.${said}`, { number: saved.number });
    onDone(saved);
  };
  const fail = (error: unknown) => {
    if (isFailure(error) && !setServerErrors(form, error, placed(error))) setFailure(error);
  };
  const saveOnto = async (onto: Order, before: Order, values: Values): Promise<void> => {
    const mine = form.getValues();
    // Fields changed by the others only are kept: they are read from their order, in the form's notation.
    const merged = onto === before ? values : OrderFormSchema.parse({ ...typedOrder(onto), ...changes(typedOrder(before), mine) });
    const { data, error } = await change({ id: onto.id, revision: onto.revision, body: merged });
    if (data) return done(data, 'saved');
    const current = isFailure(error) && isStale(error) ? (error.current as Order | undefined) : undefined;
    if (!current || current.state !== 'draft') return fail(error);
    if (conflicts(typedOrder(before), mine, typedOrder(current)).length > 0) return setTheirs(current);
    return current.revision === onto.revision ? fail(error) : saveOnto(current, before, values);
  };
  const submit = async (values: Values) => {
    setFailure(null);
    setTheirs(null);
    if (base !== null) return saveOnto(base, base, values);
    const { data, error } = await add({ body: values });
    return data ? done(data, 'added') : fail(error);
  };
  const keepMine = async (current: Order, before: Order, values: Values) => {
    setTheirs(null);
    setBase(current);
    return saveOnto(current, before, values);
  };
  const takeTheirs = (current: Order) => {
    setTheirs(null);
    setBase(current);
    resetForm(form, typedOrder(current));
    form.setFocus('title');
  };

  const busy = adding.isLoading || changing.isLoading;
  const mine = { ...start, ...form.getValues() };
  const { people, sites } = useChoices(customers, base);
  return (
    <Form form={form} onSubmit={submit} label={t(order ? 'form.editTitle' : 'form.newTitle')}>
      <Box sx={{ display: 'grid', gap: 2.5, p: 3, pt: 1 }}>
        {theirs && base && (
          <StaleNotice
            differences={conflicts(typedOrder(base), mine, typedOrder(theirs)).map((field) => ({
              label: t(`form.${field}`),
              mine: textOf(field, mine, people, sites),
              theirs: textOf(field, typedOrder(theirs), people, sites),
            }))}
            onKeepMine={() => void form.handleSubmit((values) => keepMine(theirs, base, values))()}
            onTakeTheirs={() => takeTheirs(theirs)}
          />
        )}
        {failure && <ErrorPanel title={t('form.notSaved')} failure={failure} />}
        {restored !== undefined && isDirty && <RestoredNote />}
        {isFailure(customersError) && <ErrorPanel failure={customersError} onRetry={() => void refetch()} retrying={isFetching} />}
        <OrderFields form={form} currency={currency} people={people} sites={sites} isNew={order === null} />
      </Box>
      <Footer busy={busy} onCancel={onCancel} />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
