import { invoiceMoves, orderMoves, paymentMoves, refundMoves } from '../../../contract/trades/ledger';
import type { InvoiceState, OrderState, PaymentState, RefundState } from '../../../contract/trades/ledger';

/** What payments and refunds of an order come to, in minor units. */
export type Sums = {
  /** Confirmed payments. */
  readonly paid: number;
  /** Refunds that are done, and the part of them that took the charge back. */
  readonly refunded: number;
  readonly waived: number;
  /** How many refunds are asked for or approved. */
  readonly openRefunds: number;
};
type OrderFacts = { readonly state: OrderState; readonly total: number; readonly fulfilledAt: Date | null };

/**
 * The state that payments and refunds make of an order; drafts and orders that ended keep theirs. The trigger `trade_order_follows`
 * says the same in SQL and refuses a transaction that leaves anything else behind.
 */
export function stateAfter(order: OrderFacts, sums: Sums): OrderState {
  if (order.state === 'draft' || order.state === 'cancelled' || order.state === 'expired') return order.state;
  if (sums.openRefunds > 0) return 'refunding';
  if (sums.paid - sums.refunded < order.total - sums.waived) return 'pending';
  if (sums.waived > 0) return sums.waived >= order.total ? 'refunded' : 'partly_refunded';
  return order.fulfilledAt ? 'fulfilled' : 'paid';
}

/** What was paid beyond the total and not given back. */
export const creditOf = (total: number, sums: Sums): number => Math.max(0, sums.paid - sums.refunded - (total - sums.waived));

/** The part of a refund that takes the charge back: credit goes back first. */
export const waivedBy = (amount: number, total: number, sums: Sums): number => Math.max(0, amount - creditOf(total, sums));

/** What invoices may cover in all: what was paid and kept, and no more than the order is worth. */
export const invoiceable = (total: number, sums: Sums): number => Math.min(sums.paid - sums.refunded, total - sums.waived);

/** States of an order in which its payments can be refunded, and its amount invoiced. */
export const isSettled = (state: OrderState): boolean => state === 'paid' || state === 'fulfilled' || state === 'partly_refunded';

const knows = <S extends string>(moves: readonly { readonly from: S; readonly to: S }[], from: S, to: S): boolean =>
  moves.some((move) => move.from === from && move.to === to);

export const mayMoveOrder = (from: OrderState, to: OrderState): boolean =>
  orderMoves.some((move) => move.from === from && move.to === to && move.by === 'person');
export const mayMovePayment = (from: PaymentState, to: PaymentState): boolean => knows<PaymentState>(paymentMoves, from, to);
export const mayMoveRefund = (from: RefundState, to: RefundState): boolean => knows<RefundState>(refundMoves, from, to);
export const mayMoveInvoice = (from: InvoiceState, to: InvoiceState): boolean => knows<InvoiceState>(invoiceMoves, from, to);
