import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { minorDigits, paymentMethods } from '@contract/trades/ledger';
import type { OrderWhole, receiptTypes } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { fixedText, parseFixed } from '@/lib/money';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { DateField } from '@/ui/form/DateField';
import { FileField } from '@/ui/form/FileField';
import type { PickedFile } from '@/ui/form/FileField';
import { MoneyField } from '@/ui/form/MoneyField';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { leftToPay } from '../standing';
import { useAddPaymentMutation } from '../tradesApi';
import { useMoney, useReaderDay, useTell } from '../useTrades';
import { paymentForm } from './paymentForm';
import type { ReadPayment, TypedPayment } from './paymentForm';

type ReceiptType = (typeof receiptTypes)[number];
const types = { 'application/pdf': ['pdf'], 'image/png': ['png'], 'image/jpeg': ['jpg', 'jpeg'] } as const satisfies Record<ReceiptType, readonly string[]>;
/** The contract's limit on a file, before base64. */
export const mostFileBytes = 2 * 1024 * 1024;

/** A received payment, entered by whoever keeps the ledger; or one reported by the customer, with a receipt, awaiting confirmation. */
export function PaymentDialog({
  order,
  asFinance,
  onClose,
}: {
  readonly order: OrderWhole;
  readonly asFinance: boolean;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const tell = useTell();
  const { today } = useReaderDay();
  const [add, { isLoading }] = useAddPaymentMutation();
  const [receipt, setReceipt] = useState<PickedFile<ReceiptType> | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const { currency } = order;
  const digits = minorDigits(currency);
  const left = leftToPay(order);
  const schema = paymentForm(currency);
  const start: TypedPayment = { method: 'bank', amount: fixedText(left, digits, true), paidAt: today, reference: '' };
  const form = useContractForm(schema, { defaultValues: start });
  useFormDraft(form, `account.order.${order.id}.payment`);
  const [amount, reference] = useWatch({ control: form.control, name: ['amount', 'reference'] });
  const over = (parseFixed(amount, digits) ?? 0) - left;
  const entered = reference.trim() !== '' && order.payments.some((one) => one.reference === reference.trim());

  const receiptFault = failure?.fields?.['receipt'] !== undefined;
  const pick = (file: PickedFile<ReceiptType> | null) => {
    setReceipt(file);
    if (receiptFault) setFailure(null);
  };
  const submit = async (payment: ReadPayment) => {
    setFailure(null);
    const { data, error } = await add({
      id: order.id,
      body: { ...payment, receipt: receipt && { name: receipt.name, type: receipt.type, content: receipt.content } },
    });
    if (!data) {
      if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
      return;
    }
    startFrom(form, start);
    const before = new Set(order.payments.map((one) => one.id));
    const made = data.payments.find((one) => !before.has(one.id));
    if (made?.sameReference) tell.warning('payment.recordedTwice', { reference: made.reference });
    else tell.good(asFinance ? 'did.pay' : 'did.upload', { amount: money(payment.amount, currency) });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={t(asFinance ? 'step.pay' : 'step.upload')}
      lead={t(asFinance ? 'payment.lead' : 'payment.uploadLead')}
      submit={t(asFinance ? 'payment.record' : 'payment.send')}
      busy={isLoading}
      failure={receiptFault ? null : failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <MoneyField
        control={form.control}
        name="amount"
        label={t('payment.amount')}
        currency={currency}
        digits={digits}
        autoFocus
        help={t('payment.left', { amount: money(left, currency) })}
        warning={over > 0 ? t('payment.over', { amount: money(over, currency) }) : undefined}
        messages={{ pattern: t('amountPattern'), out_of_range: t('amountPositive') }}
      />
      <DateField control={form.control} name="paidAt" label={t('payment.paidAt')} max={today} />
      <SelectField
        control={form.control}
        name="method"
        label={t('payment.method')}
        choices={paymentMethods.map((method) => ({ value: method, label: t(`method.${method}`) }))}
      />
      <TextField
        control={form.control}
        name="reference"
        label={t('payment.reference')}
        optional
        maxLength={80}
        verbatim
        autoComplete="off"
        help={entered ? `⚠ ${t('payment.sameReference')}` : t('payment.referenceHelp')}
      />
      <FileField
        label={t('payment.receipt')}
        optional={asFinance}
        types={types}
        mostBytes={mostFileBytes}
        value={receipt}
        onPick={pick}
        error={receiptFault ? t('fileContent') : undefined}
      />
    </FormDialog>
  );
}
