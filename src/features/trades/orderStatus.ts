import type { Invoice, Order, OrderState, OrderWhole, Payment, Refund } from '@contract/trades/ledger';
import { dayCount } from '@/lib/days';
import type { Day } from '@/lib/days';

/** `write`: may change the ledger. `own`: is the customer of this order. */
export type Rights = { readonly write: boolean; readonly own: boolean };

/** Possible actions on an order. */
export type Step =
  | { readonly do: 'send' | 'edit' | 'remove' | 'pay' | 'upload' | 'cancel' | 'fulfil' | 'invoice' | 'renew' | 'notes' }
  | { readonly do: 'confirm'; readonly payment: Payment }
  | { readonly do: 'refund'; readonly payment: Payment }
  | { readonly do: 'approve' | 'finish' | 'reject'; readonly refund: Refund };

/** States with a final payment. */
export const settledStates = ['paid', 'fulfilled', 'partly_refunded'] as const satisfies readonly OrderState[];
const isSettled = (state: OrderState): boolean => (settledStates as readonly OrderState[]).includes(state);

/** The unpaid amount. */
export const leftToPay = (order: Order): number => Math.max(0, order.total - order.paid);
/** What an invoice can still cover: at most the order's total, and nothing that was refunded. */
export const leftToInvoice = (order: Order): number =>
  isSettled(order.state) ? Math.max(0, Math.min(order.total, order.paid - order.refunded) - order.invoiced) : 0;

/** A refund can be finished only if no invoice covers the refunded amount. */
export const isInvoiceInTheWay = (order: Order, refund: Refund): boolean => order.invoiced > Math.min(order.total, order.paid - order.refunded - refund.amount);

/** The refundable part of a payment: all except completed and pending refunds. */
export function leftToRefund(order: OrderWhole, payment: Payment): number {
  if (payment.state !== 'confirmed') return 0;
  const refunded = order.refunds.filter((one) => one.paymentId === payment.id && one.state !== 'rejected').reduce((sum, one) => sum + one.amount, 0);
  return Math.max(0, payment.amount - refunded);
}

const openRefund = (order: OrderWhole): Refund | undefined => order.refunds.find((one) => one.state === 'requested' || one.state === 'approved');
const waiting = (order: OrderWhole): Payment | undefined => order.payments.find((one) => one.state === 'recorded');
const refundablePayment = (order: OrderWhole): Payment | undefined => order.payments.find((one) => leftToRefund(order, one) > 0);

/** The one action that advances the order, and all other possible ones, harmless ones first. */
export function stepsOf(order: OrderWhole, { write, own }: Rights): { readonly primary: Step | null; readonly others: readonly Step[] } {
  const invoice: Step[] = (write || own) && leftToInvoice(order) > 0 ? [{ do: 'invoice' }] : [];
  if (!write) {
    if (!own) return { primary: null, others: [] };
    if (order.state === 'pending') return waiting(order) ? { primary: null, others: [{ do: 'upload' }] } : { primary: { do: 'upload' }, others: [] };
    return { primary: invoice[0] ?? null, others: [] };
  }
  const notes: Step = { do: 'notes' };
  const renew: Step[] = order.period && isSettled(order.state) ? [{ do: 'renew' }] : [];
  const paid = refundablePayment(order);
  const refund: Step[] = paid && isSettled(order.state) ? [{ do: 'refund', payment: paid }] : [];
  switch (order.state) {
    case 'draft':
      return { primary: { do: 'send' }, others: [{ do: 'edit' }, { do: 'remove' }] };
    case 'pending': {
      const payment = waiting(order);
      return payment
        ? { primary: { do: 'confirm', payment }, others: [{ do: 'pay' }, notes] }
        : { primary: { do: 'pay' }, others: [notes, ...(order.paid === 0 ? [{ do: 'cancel' } as const] : [])] };
    }
    case 'paid':
      return { primary: { do: 'fulfil' }, others: [...invoice, ...renew, ...refund, notes] };
    case 'fulfilled':
    case 'partly_refunded':
      return { primary: invoice[0] ?? null, others: [...renew, ...refund, notes] };
    case 'refunding': {
      const open = openRefund(order);
      if (!open) return { primary: null, others: [notes] };
      return { primary: { do: open.state === 'requested' ? 'approve' : 'finish', refund: open }, others: [{ do: 'reject', refund: open }, notes] };
    }
    case 'cancelled':
    case 'expired':
    case 'refunded':
      return { primary: null, others: [notes] };
  }
}

/** State of an order, as a key of `situation` and its values; amounts are minor units, to be formatted by the caller. */
export type OrderSituation = {
  readonly key:
    | 'draft'
    | 'waiting'
    | 'pending'
    | 'pendingDue'
    | 'overdue'
    | 'paid'
    | 'credit'
    | 'fulfilled'
    | 'refundAsked'
    | 'refundApproved'
    | 'refunded'
    | 'partlyRefunded'
    | 'cancelled'
    | 'expired';
  readonly amount: number;
  readonly days: number;
  readonly day: string;
};

export function orderSituation(order: OrderWhole, today: Day): OrderSituation {
  const say = (key: OrderSituation['key'], amount = 0, day = '', days = 0): OrderSituation => ({ key, amount, day, days });
  switch (order.state) {
    case 'draft':
      return say('draft');
    case 'pending': {
      const payment = waiting(order);
      if (payment) return say('waiting', payment.amount);
      if (order.dueAt === null) return say('pending', leftToPay(order));
      return order.dueAt < today
        ? say('overdue', leftToPay(order), order.dueAt, dayCount({ from: order.dueAt, to: today }) - 1)
        : say('pendingDue', leftToPay(order), order.dueAt);
    }
    case 'paid':
      return order.paid > order.total ? say('credit', order.paid - order.total) : say('paid');
    case 'refunding': {
      const open = openRefund(order);
      return say(open?.state === 'approved' ? 'refundApproved' : 'refundAsked', open?.amount ?? 0);
    }
    case 'refunded':
      return say('refunded', order.refunded);
    case 'partly_refunded':
      return say('partlyRefunded', order.refunded);
    case 'fulfilled':
    case 'cancelled':
    case 'expired':
      return say(order.state);
  }
}

export type Tone = 'quiet' | 'wait' | 'good' | 'info';
/** The meaning of a state: waiting, done, or over. The text beside the colour names the state. */
export const orderTones: Readonly<Record<OrderState, Tone>> = {
  draft: 'quiet',
  pending: 'wait',
  paid: 'info',
  fulfilled: 'good',
  cancelled: 'quiet',
  expired: 'quiet',
  refunding: 'wait',
  refunded: 'quiet',
  partly_refunded: 'info',
};
export const paymentTones: Readonly<Record<Payment['state'], Tone>> = { recorded: 'wait', confirmed: 'good', failed: 'quiet', reversed: 'quiet' };
export const refundTones: Readonly<Record<Refund['state'], Tone>> = { requested: 'wait', approved: 'wait', done: 'good', rejected: 'quiet' };
export const invoiceTones: Readonly<Record<Invoice['state'], Tone>> = { requested: 'wait', issuing: 'wait', issued: 'good', rejected: 'quiet', red: 'quiet' };
