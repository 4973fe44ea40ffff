import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { minorDigits } from '@contract/trades/ledger';
import type { OrderWhole, Payment } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { fixedText } from '@/lib/money';
import { MoneyField } from '@/ui/form/MoneyField';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { FormDialog } from '../FormDialog';
import { leftToRefund } from '../orderStatus';
import { useAddRefundMutation } from '../tradesApi';
import { useMoney, useTradeNotices } from '../useTrades';
import { refundForm } from './paymentForm';
import type { ReadRefund, TypedRefund } from './paymentForm';

/** Requests a refund of one payment. Somebody approves it, and records when it was sent. */
export function RefundDialog({
  order,
  payment,
  onClose,
}: {
  readonly order: OrderWhole;
  readonly payment: Payment;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('trades');
  const money = useMoney();
  const notify = useTradeNotices();
  const [add] = useAddRefundMutation();
  const { currency } = order;
  const digits = minorDigits(currency);
  const open = order.payments.filter((one) => leftToRefund(order, one) > 0);
  const leftOf = (paymentId: string): number => {
    const found = order.payments.find((one) => one.id === paymentId);
    return found ? leftToRefund(order, found) : 0;
  };
  const schema = refundForm(currency, leftOf);
  const start: TypedRefund = { paymentId: payment.id, amount: fixedText(leftOf(payment.id), digits, true), reason: '' };
  const form = useContractForm(schema, { defaultValues: start });
  useFormDraft(form, `account.payment.${payment.id}.refund`);
  const paymentId = useWatch({ control: form.control, name: 'paymentId' });
  const left = money(leftOf(paymentId), currency);

  const { submit, busy, failure } = useSubmit(form, {
    send: async ({ paymentId: id, ...refund }: ReadRefund) => {
      const { data, error } = await add({ id, body: refund });
      return { data: data && refund, error };
    },
    onSuccess: ({ amount }) => {
      resetForm(form, start);
      notify.good('did.refund', { amount: money(amount, currency) });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('step.refund')}
      lead={t('refund.lead')}
      submit={t('refund.ask')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {open.length > 1 && (
        <SelectField
          control={form.control}
          name="paymentId"
          label={t('refund.payment')}
          choices={open.map((one) => ({ value: one.id, label: `${one.paidAt} ${t(`method.${one.method}`)}`, detail: money(one.amount, currency) }))}
        />
      )}
      <MoneyField
        control={form.control}
        name="amount"
        label={t('refund.amount')}
        currency={currency}
        digits={digits}
        autoFocus
        help={t('refund.left', { amount: left })}
        messages={{ pattern: t('amountPattern'), out_of_range: t('refund.tooMuch', { amount: left }) }}
      />
      <TextField control={form.control} name="reason" label={t('refund.reason')} maxLength={200} autoComplete="off" />
    </FormDialog>
  );
}
