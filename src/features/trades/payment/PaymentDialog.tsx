import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { minorDigits, paymentMethods } from '@contract/trades/ledger';
import type { OrderWhole, receiptTypes } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { fixedText, parseFixed } from '@/lib/money';
import { DateField } from '@/ui/form/DateField';
import { FileField } from '@/ui/form/FileField';
import type { PickedFile } from '@/ui/form/FileField';
import { MoneyField } from '@/ui/form/MoneyField';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { FormDialog } from '../FormDialog';
import { leftToPay } from '../orderStatus';
import { useAddPaymentMutation } from '../tradesApi';
import { useMoney, useReaderDay, useTradeNotices } from '../useTrades';
import { paymentForm } from './paymentForm';
import type { ReadPayment, TypedPayment } from './paymentForm';

type ReceiptType = (typeof receiptTypes)[number];
const types = { 'application/pdf': ['pdf'], 'image/png': ['png'], 'image/jpeg': ['jpg', 'jpeg'] } as const satisfies Record<ReceiptType, readonly string[]>;
/** The contract's limit on a file, before base64. */
export const mostFileBytes = 2 * 1024 * 1024;

type Props = { readonly order: OrderWhole; readonly asFinance: boolean; readonly onClose: () => void };

/** Submits the payment with its receipt. A notice warns if another payment has the same reference. */
function usePaymentSubmit(form: ContractForm<TypedPayment, ReadPayment>, start: TypedPayment, { order, asFinance, onClose }: Props) {
  const money = useMoney();
  const notify = useTradeNotices();
  const [add] = useAddPaymentMutation();
  const [receipt, setReceipt] = useState<PickedFile<ReceiptType> | null>(null);
  const [sentReceipt, setSentReceipt] = useState(receipt);
  const { submit, busy, failure } = useSubmit(form, {
    send: async (payment: ReadPayment) => {
      setSentReceipt(receipt);
      const { data, error } = await add({
        id: order.id,
        body: { ...payment, receipt: receipt && { name: receipt.name, type: receipt.type, content: receipt.content } },
      });
      return { data: data && { payments: data.payments, amount: payment.amount }, error };
    },
    onSuccess: ({ payments, amount }) => {
      resetForm(form, start);
      const before = new Set(order.payments.map((one) => one.id));
      const created = payments.find((one) => !before.has(one.id));
      if (created?.sameReference) notify.warning('payment.recordedTwice', { reference: created.reference });
      else notify.good(asFinance ? 'did.pay' : 'did.upload', { amount: money(amount, order.currency) });
      onClose();
    },
  });
  const isReceiptRefused = failure?.fields?.['receipt'] !== undefined;
  return {
    submit,
    busy,
    failure: isReceiptRefused ? null : failure,
    receipt: { value: receipt, onPick: setReceipt, refused: isReceiptRefused && receipt === sentReceipt },
  };
}

/** What was paid, when and how; warns of more than is due, and of a reference that another payment has. */
function PaymentFields({ form, order }: { readonly form: ContractForm<TypedPayment, ReadPayment>; readonly order: OrderWhole }): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const { today } = useReaderDay();
  const [amount, reference] = useWatch({ control: form.control, name: ['amount', 'reference'] });
  const { currency } = order;
  const digits = minorDigits(currency);
  const left = leftToPay(order);
  const over = (parseFixed(amount, digits) ?? 0) - left;
  const entered = reference.trim() !== '' && order.payments.some((one) => one.reference === reference.trim());
  return (
    <>
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
    </>
  );
}

/** A received payment, entered by whoever keeps the ledger; or one reported by the customer, with a receipt, awaiting confirmation. */
export function PaymentDialog(props: Props): ReactElement {
  const { order, asFinance, onClose } = props;
  const { t } = useTranslation('trades');
  const { today } = useReaderDay();
  const { currency } = order;
  const start: TypedPayment = { method: 'bank', amount: fixedText(leftToPay(order), minorDigits(currency), true), paidAt: today, reference: '' };
  const form = useContractForm(paymentForm(currency), { defaultValues: start });
  useFormDraft(form, `account.order.${order.id}.payment`);
  const { submit, busy, failure, receipt } = usePaymentSubmit(form, start, props);
  return (
    <FormDialog
      form={form}
      title={t(asFinance ? 'step.pay' : 'step.upload')}
      lead={t(asFinance ? 'payment.lead' : 'payment.uploadLead')}
      submit={t(asFinance ? 'payment.record' : 'payment.send')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <PaymentFields form={form} order={order} />
      <FileField
        label={t('payment.receipt')}
        optional={asFinance}
        types={types}
        mostBytes={mostFileBytes}
        value={receipt.value}
        onPick={receipt.onPick}
        error={receipt.refused ? t('fileContent') : undefined}
      />
    </FormDialog>
  );
}
