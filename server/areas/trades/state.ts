import { invoiceMoves, orderMoves, paymentMoves, refundMoves } from '../../../contract/trades/ledger';
import type { InvoiceState, OrderState, PaymentState, RefundState } from '../../../contract/trades/ledger';

/** Sums of an order's payments and refunds, in minor units. */
export type Sums = {
  /** Confirmed payments. */
  readonly paid: number;
  /** Completed refunds, and the part of them that reduced the charge. */
  readonly refunded: number;
  readonly waived: number;
  /** Number of requested or approved refunds. */
  readonly openRefunds: number;
};
type OrderFacts = { readonly state: OrderState; readonly total: number; readonly fulfilledAt: Date | null };

/**
 * The state of an order that follows from its payments and refunds; drafts and ended orders keep their state. The trigger `trade_order_follows` implements the
 * same rule in SQL and rejects a transaction that leaves any other state.
 */
export function stateAfter(order: OrderFacts, sums: Sums): OrderState {
  if (order.state === 'draft' || order.state === 'cancelled' || order.state === 'expired') return order.state;
  if (sums.openRefunds > 0) return 'refunding';
  if (sums.paid - sums.refunded < order.total - sums.waived) return 'pending';
  if (sums.waived > 0) return sums.waived >= order.total ? 'refunded' : 'partly_refunded';
  return order.fulfilledAt ? 'fulfilled' : 'paid';
}

/** The overpaid amount that has not been returned. */
export const creditOf = (total: number, sums: Sums): number => Math.max(0, sums.paid - sums.refunded - (total - sums.waived));

/** The part of a refund that reduces the charge: overpayment is returned first. */
export const waivedBy = (amount: number, total: number, sums: Sums): number => Math.max(0, amount - creditOf(total, sums));

/** Maximum total of invoices: the amount paid and not refunded, limited to the order's remaining value. */
export const invoiceable = (total: number, sums: Sums): number => Math.min(sums.paid - sums.refunded, total - sums.waived);

/** States of an order in which its payments can be refunded and its amount can be invoiced. */
export const isSettled = (state: OrderState): boolean => state === 'paid' || state === 'fulfilled' || state === 'partly_refunded';

const knows = <S extends string>(moves: readonly { readonly from: S; readonly to: S }[], from: S, to: S): boolean =>
  moves.some((move) => move.from === from && move.to === to);

export const mayMoveOrder = (from: OrderState, to: OrderState): boolean =>
  orderMoves.some((move) => move.from === from && move.to === to && move.by === 'person');
export const mayMovePayment = (from: PaymentState, to: PaymentState): boolean => knows<PaymentState>(paymentMoves, from, to);
export const mayMoveRefund = (from: RefundState, to: RefundState): boolean => knows<RefundState>(refundMoves, from, to);
export const mayMoveInvoice = (from: InvoiceState, to: InvoiceState): boolean => knows<InvoiceState>(invoiceMoves, from, to);
