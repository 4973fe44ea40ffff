import { Button, Checkbox, DialogActions, DialogContent, FormControlLabel } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { invoiceTypes } from '@contract/trades/ledger';
import type { Order } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useTitlesQuery } from '../tradesApi';
import { InvoiceLines } from './InvoiceLines';
import { TitleFields } from './TitleFields';
import { TitleForm, blankTitle, typedTitle } from './titleForm';
import type { ReadTitle, TypedTitle } from './titleForm';
import { useInvoiceRequest } from './useInvoiceRequest';

/** The title, new or one of the saved; a new one can be saved. */
function TitleChoice({ form }: { readonly form: ContractForm<TypedTitle, ReadTitle> }): ReactElement {
  const { t } = useTranslation('trades');
  const { data: titles = [] } = useTitlesQuery();
  const [savedId, setSavedId] = useState('');
  const { field: save } = useController({ control: form.control, name: 'saveTitle' });
  const fillFrom = (id: string) => {
    setSavedId(id);
    const title = titles.find((one) => one.id === id);
    if (!title) return;
    for (const [name, value] of Object.entries(typedTitle(title)))
      form.setValue(name as 'title', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.setValue('saveTitle', false);
  };
  return (
    <>
      {titles.length > 0 && (
        <FilterSelect
          label={t('invoice.saved')}
          value={savedId}
          choices={[{ value: '', label: t('invoice.pickSaved') }, ...titles.map(({ id, title }) => ({ value: id, label: title }))]}
          onChoose={fillFrom}
        />
      )}
      <TitleFields form={form} whole={false} />
      {savedId === '' && (
        <FormControlLabel
          control={<Checkbox checked={save.value} onChange={(_event, on) => save.onChange(on)} />}
          label={t('invoice.saveTitle')}
          slotProps={{ typography: { variant: 'body2' } }}
        />
      )}
    </>
  );
}

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
  const lineId = useId();
  const form = useContractForm(TitleForm, { defaultValues: blankTitle });
  // One draft per customer: the tax number of one must not appear on the invoice of another.
  useFormDraft(form, `account.invoice.${orders[0]?.customer.id ?? ''}`);
  const onInvalidLine = (orderId: string) => document.getElementById(`${lineId}-${orderId}`)?.focus();
  const { lines, lineErrors, changeLines, submit, busy, failure } = useInvoiceRequest(form, { orders, onStale, onClose, onInvalidLine });
  return (
    <Form form={form} onSubmit={submit} label={t('invoice.ask')}>
      <DialogContent sx={{ display: 'grid', gap: 2.5, pt: 0.5, px: 3 }}>
        {failure && <ErrorPanel title={t('notDone')} failure={failure} />}
        <InvoiceLines idPrefix={lineId} orders={orders} lines={lines} errors={lineErrors} onLines={changeLines} />
        <RadioCards
          control={form.control}
          name="type"
          label={t('invoice.type')}
          choices={invoiceTypes.map((type) => ({ value: type, label: t(`invoiceType.${type}`), detail: t(`invoice.typeDetail.${type}`) }))}
        />
        <TitleChoice form={form} />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
          {t(busy ? 'working' : 'invoice.send')}
        </Button>
      </DialogActions>
    </Form>
  );
}
