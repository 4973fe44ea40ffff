import { z } from 'zod';
import { PaymentInput, minorDigits, positiveAmount } from '@contract/trades/ledger';
import type { Currency } from '@contract/trades/ledger';
import { safeText } from '@contract/text';
import { parseFixed } from '@/lib/money';
import { typedSchema } from '../typed';
import type { ReportError } from '../typed';

/** Parses a typed amount; reports an error if invalid. */
export function readTyped(text: string, currency: Currency, report: ReportError, path: readonly PropertyKey[] = ['amount']): number {
  const amount = parseFixed(text, minorDigits(currency));
  if (amount === null) report(path, text.trim() === '' ? 'required' : 'pattern');
  return amount ?? 1;
}

export type TypedPayment = { method: z.input<typeof PaymentInput>['method']; amount: string; paidAt: string; reference: string };
const Payment = PaymentInput.omit({ receipt: true });
export type ReadPayment = z.output<typeof Payment>;
/** A payment as typed; the receipt is kept beside the form, because files are not part of a draft. */
export const paymentForm = (currency: Currency) =>
  typedSchema<TypedPayment, ReadPayment>((typed, report) => ({ ...typed, amount: readTyped(typed.amount, currency, report) }), Payment);

export type TypedRefund = { paymentId: string; amount: string; reason: string };
const Refund = z.object({ paymentId: z.uuid(), amount: positiveAmount, reason: safeText(200) });
export type ReadRefund = z.output<typeof Refund>;
/** A refund as typed. `left`: what can still be refunded of a payment. */
export const refundForm = (currency: Currency, left: (paymentId: string) => number) =>
  typedSchema<TypedRefund, ReadRefund>((typed, report) => {
    const amount = readTyped(typed.amount, currency, report);
    if (amount > left(typed.paymentId)) report(['amount'], 'out_of_range');
    if (typed.reason.trim() === '') report(['reason'], 'required');
    return { ...typed, amount };
  }, Refund);
