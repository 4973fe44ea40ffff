import type { OrderWhole, Payment } from '@contract/trades/ledger';
import type { PaymentAction } from '../order/useOrderActions';
import { leftToRefund, settledStates } from '../orderStatus';
import type { Step } from '../orderStatus';

/** What finance can do with a payment; nothing once its order is cancelled or expired. Only a payment without any refund can be reversed. */
export function paymentStepsOf(order: OrderWhole, payment: Payment): readonly (Step | PaymentAction)[] {
  if (order.state === 'cancelled' || order.state === 'expired') return [];
  if (payment.state === 'recorded')
    return [
      { do: 'confirm', payment },
      { do: 'fail', payment },
    ];
  if (payment.state !== 'confirmed') return [];
  const left = leftToRefund(order, payment);
  const isSettled = (settledStates as readonly string[]).includes(order.state);
  return [...(isSettled && left > 0 ? [{ do: 'refund', payment } as const] : []), ...(left === payment.amount ? [{ do: 'reverse', payment } as const] : [])];
}
