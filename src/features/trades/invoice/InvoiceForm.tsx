import { Button, Checkbox, DialogActions, DialogContent, FormControlLabel } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { invoiceTypes } from '@contract/trades/ledger';
import type { Order } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { FilterSelect } from '../FilterSelect';
import { useAddInvoiceMutation, useTitlesQuery } from '../tradesApi';
import { useTell } from '../useTrades';
import { InvoiceLines, readLines, startLines } from './InvoiceLines';
import type { LineFaults, TypedLines } from './InvoiceLines';
import { TitleFields } from './TitleFields';
import { TitleForm, blankTitle, typedTitle } from './titleForm';
import type { ReadTitle } from './titleForm';

/** What the invoice covers, its kind, and its title. */
export function InvoiceForm({
  orders,
  onStale,
  onClose,
}: {
  readonly orders: readonly Order[];
  /** Called if the orders have changed on the server. */ readonly onStale: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const tell = useTell();
  const pickId = useId();
  const [add, { isLoading }] = useAddInvoiceMutation();
  const { data: titles = [] } = useTitlesQuery();
  const [lines, setLines] = useState<TypedLines>(() => startLines(orders));
  const [faults, setFaults] = useState<LineFaults>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [picked, setPicked] = useState('');
  const form = useContractForm(TitleForm, { defaultValues: blankTitle });
  // One draft per customer: the tax number of one must not appear on the invoice of another.
  useFormDraft(form, `account.invoice.${orders[0]?.customer.id ?? ''}`);
  const save = useController({ control: form.control, name: 'saveTitle' });

  const pick = (id: string) => {
    setPicked(id);
    const title = titles.find((one) => one.id === id);
    if (!title) return;
    for (const [name, value] of Object.entries(typedTitle(title)))
      form.setValue(name as 'title', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.setValue('saveTitle', false);
  };
  const submit = async (title: ReadTitle) => {
    setFailure(null);
    const read = readLines(orders, lines);
    setFaults(read.faults);
    if (!read.orders) {
      const first = orders.find((one) => one.id in read.faults)?.id ?? orders[0]?.id ?? '';
      document.getElementById(`${pickId}-${first}`)?.focus();
      return;
    }
    const { data, error } = await add({ body: { ...title, orders: read.orders } });
    if (!data) {
      if (!isFailure(error) || setServerErrors(form, error)) return;
      const short = Object.keys(error.fields ?? {}).map((path) => read.orders?.[Number(/^orders\.(\d+)\.amount$/.exec(path)?.[1])]?.orderId);
      if (short[0] === undefined) return setFailure(error);
      // Somebody else has requested an invoice for a part of it meanwhile.
      setFaults(Object.fromEntries(short.flatMap((id) => (id === undefined ? [] : [[id, 'tooMuch' as const]]))));
      onStale();
      return;
    }
    startFrom(form, blankTitle);
    tell.good('invoice.asked', { title: data.title });
    onClose();
  };
  return (
    <Form form={form} onSubmit={submit} label={t('invoice.ask')}>
      <DialogContent sx={{ display: 'grid', gap: 2.5, pt: 0.5, px: 3 }}>
        {failure && <ErrorPanel title={t('notDone')} failure={failure} />}
        <InvoiceLines
          idPrefix={pickId}
          orders={orders}
          lines={lines}
          faults={faults}
          onLines={(next) => {
            setLines(next);
            setFaults({});
          }}
        />
        <RadioCards
          control={form.control}
          name="type"
          label={t('invoice.type')}
          choices={invoiceTypes.map((type) => ({ value: type, label: t(`invoiceType.${type}`), detail: t(`invoice.typeDetail.${type}`) }))}
        />
        {titles.length > 0 && (
          <FilterSelect
            label={t('invoice.saved')}
            value={picked}
            choices={[{ value: '', label: t('invoice.pickSaved') }, ...titles.map(({ id, title }) => ({ value: id, label: title }))]}
            onChoose={pick}
          />
        )}
        <TitleFields form={form} whole={false} />
        {picked === '' && (
          <FormControlLabel
            control={<Checkbox size="small" checked={save.field.value} onChange={(_event, on) => save.field.onChange(on)} />}
            label={t('invoice.saveTitle')}
            slotProps={{ typography: { variant: 'body2' } }}
          />
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="contained" aria-busy={isLoading} disabled={isLoading}>
          {t(isLoading ? 'working' : 'invoice.send')}
        </Button>
      </DialogActions>
    </Form>
  );
}
