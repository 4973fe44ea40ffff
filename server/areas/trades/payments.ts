import type { z } from 'zod';
import type { PaymentInput, PaymentState, RefundState } from '../../../contract/trades/ledger';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { addDays } from '../../zone';
import { record } from '../audit';
import { ledgerDay } from './days';
import { keepFile } from './files';
import { follow, held, targetOf } from './orders';
import type { Doer } from './orders';
import * as queries from './queries';
import type { OrderAccess } from './queries';
import { invoiceable, isSettled, mayMovePayment, mayMoveRefund, waivedBy } from './state';

/** Maximum number of unconfirmed payments per order, so that a customer cannot flood the ledger. */
const mostWaiting = 20;

export type NewPayment = z.output<typeof PaymentInput>;

/**
 * Records a payment of an order that awaits payment. `mayPay`: whether this caller may pay this customer's order. The payment counts after it has been
 * confirmed.
 */
export async function addPayment(
  ctx: Context,
  orderId: string,
  input: NewPayment,
  who: OrderAccess,
  doer: Doer & { readonly id: string },
  mayPay: (customerId: string) => boolean,
): Promise<void> {
  const at = new Date(ctx.now());
  await ctx.postgres.db.transaction(async (tx) => {
    const order = await held(tx, orderId, who);
    if (!mayPay(order.customerId)) fail('forbidden');
    if (order.state !== 'pending') fail('bad_transition');
    // The next day is accepted, because it has already begun in time zones east of the ledger's.
    if (input.paidAt > addDays(ledgerDay(at.getTime()), 1)) failField('paidAt', 'out_of_range');
    if ((await queries.sumsOf(tx, orderId)).waiting >= mostWaiting) fail('conflict');
    const fileId = input.receipt && (await keepFile(tx, input.receipt, 'receipt', 'pattern', at));
    const { method, amount, paidAt, reference } = input;
    const payment = await queries.insertPayment(tx, { orderId, method, amount, paidAt, reference, fileId, createdBy: doer.id, createdAt: at });
    await follow(ctx, tx, order, doer);
    await record(ctx, tx, doer.actor, {
      action: 'trade.payment_added',
      ...targetOf(order),
      after: { paymentId: payment.id, method, amount, paidAt, reference },
    });
  });
}

/** Confirms, fails or reverses a payment and updates its order. Returns the id of the order. */
export async function movePayment(ctx: Context, id: string, to: PaymentState, who: OrderAccess, doer: Doer): Promise<string> {
  const at = new Date(ctx.now());
  return ctx.postgres.db.transaction(async (tx) => {
    const found = (await queries.findPayment(tx, id)) ?? fail('not_found');
    const order = await held(tx, found.orderId, who);
    // Read again under the lock: a previous holder may have changed it.
    const payment = (await queries.findPayment(tx, id)) ?? fail('not_found');
    if (!mayMovePayment(payment.state, to)) fail('bad_transition');
    if (to === 'confirmed') {
      if (order.state !== 'pending' && order.state !== 'refunding' && !isSettled(order.state)) fail('bad_transition');
      await queries.updatePayment(tx, id, { state: to, confirmedAt: at });
    } else if (to === 'reversed') {
      const sums = await queries.sumsOf(tx, order.id);
      const without = { ...sums, paid: sums.paid - payment.amount };
      if ((await queries.refundedOf(tx, id)) > 0 || sums.invoiced > invoiceable(order.total, without)) fail('amount_exceeded');
      await queries.updatePayment(tx, id, { state: to, reversedAt: at });
    } else await queries.updatePayment(tx, id, { state: to });
    const after = await follow(ctx, tx, order, doer);
    await record(ctx, tx, doer.actor, {
      action: 'trade.payment_moved',
      ...targetOf(order),
      before: { payment: payment.state, order: order.state },
      after: { paymentId: id, payment: to, order: after.state, amount: payment.amount },
    });
    return order.id;
  });
}

/** Requests a refund of a confirmed payment; its order becomes `refunding`. Returns the id of the order. */
export async function addRefund(
  ctx: Context,
  paymentId: string,
  input: { readonly amount: number; readonly reason: string },
  who: OrderAccess,
  doer: Doer & { readonly id: string },
): Promise<string> {
  return ctx.postgres.db.transaction(async (tx) => {
    const found = (await queries.findPayment(tx, paymentId)) ?? fail('not_found');
    const order = await held(tx, found.orderId, who);
    const payment = (await queries.findPayment(tx, paymentId)) ?? fail('not_found');
    if (payment.state !== 'confirmed' || !(order.state === 'refunding' || isSettled(order.state))) fail('bad_transition');
    const remaining = payment.amount - (await queries.refundedOf(tx, paymentId));
    if (input.amount > remaining) fail('amount_exceeded', { fields: { amount: { code: 'out_of_range', max: remaining } } });
    const refund = await queries.insertRefund(tx, { orderId: order.id, paymentId, ...input, createdBy: doer.id, createdAt: new Date(ctx.now()) });
    await follow(ctx, tx, order, doer);
    await record(ctx, tx, doer.actor, {
      action: 'trade.refund_added',
      ...targetOf(order),
      after: { refundId: refund.id, paymentId, amount: input.amount, reason: input.reason },
    });
    return order.id;
  });
}

/** Approves, rejects or completes a refund and updates its order. Returns the id of the order. */
export async function moveRefund(ctx: Context, id: string, to: RefundState, who: OrderAccess, doer: Doer): Promise<string> {
  return ctx.postgres.db.transaction(async (tx) => {
    const found = (await queries.findRefund(tx, id)) ?? fail('not_found');
    const order = await held(tx, found.orderId, who);
    const refund = (await queries.findRefund(tx, id)) ?? fail('not_found');
    if (!mayMoveRefund(refund.state, to)) fail('bad_transition');
    if (to === 'done') {
      const sums = await queries.sumsOf(tx, order.id);
      const waived = waivedBy(refund.amount, order.total, sums);
      const after = { ...sums, refunded: sums.refunded + refund.amount, waived: sums.waived + waived };
      // An amount covered by an invoice can be refunded only after the invoice has been reversed.
      if (sums.invoiced > invoiceable(order.total, after)) fail('amount_exceeded');
      await queries.updateRefund(tx, id, { state: to, waived, doneAt: new Date(ctx.now()) });
    } else await queries.updateRefund(tx, id, { state: to });
    const after = await follow(ctx, tx, order, doer);
    await record(ctx, tx, doer.actor, {
      action: 'trade.refund_moved',
      ...targetOf(order),
      before: { refund: refund.state, order: order.state },
      after: { refundId: id, refund: to, order: after.state, amount: refund.amount },
    });
    return order.id;
  });
}
