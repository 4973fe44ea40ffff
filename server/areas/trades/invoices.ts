import type { z } from 'zod';
import type { FieldCode } from '../../../contract/errors';
import type { InvoiceInput, InvoiceTitleInput } from '../../../contract/trades/ledger';
import type { tradeEndpoints } from '../../../contract/trades/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { FieldErrors } from '../../http/failure';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { record } from '../audit';
import { keepFile } from './files';
import * as queries from './invoiceQueries';
import type { InvoiceRecord, TitleRecord } from './invoiceQueries';
import { tellIssued } from './mails';
import type { Doer } from './orders';
import { lockOrder, sumsOf } from './queries';
import type { OrderRecord, OrderAccess } from './queries';
import { invoiceable, isSettled, mayMoveInvoice } from './state';

type Title = z.output<typeof InvoiceTitleInput>;
export type NewInvoice = z.output<typeof InvoiceInput>;
export type InvoiceMove = z.output<NonNullable<(typeof tradeEndpoints)['moveInvoice']['body']>>;

const mostTitles = 50;

/** A company needs a tax number; 专票 needs all the data that the tax platform prints on it. */
function refuseIncomplete(title: Title, special: boolean): void {
  const fields: Record<string, { code: FieldCode }> = {};
  if (title.taxNumber === null && (special || title.titleType === 'company')) fields.taxNumber = { code: 'required' };
  if (special) for (const key of ['address', 'phone', 'bank', 'account'] as const) if (title[key] === '') fields[key] = { code: 'required' };
  if (Object.keys(fields).length > 0) fail('invalid_fields', { fields });
}

const titleOf = ({ titleType, title, taxNumber, address, phone, bank, account, email }: Title): Title => ({
  titleType,
  title,
  taxNumber,
  address,
  phone,
  bank,
  account,
  email,
});

export async function addTitle(ctx: Context, userId: string, input: Title): Promise<TitleRecord> {
  refuseIncomplete(input, false);
  if ((await queries.titlesOf(ctx.postgres.db, userId)).length >= mostTitles) fail('conflict');
  return (await queries.insertTitle(ctx.postgres.db, { userId, ...titleOf(input), createdAt: new Date(ctx.now()) })) ?? fail('conflict');
}

export async function changeTitle(ctx: Context, userId: string, id: string, input: Title): Promise<TitleRecord> {
  refuseIncomplete(input, false);
  const changed = await queries
    .updateTitle(ctx.postgres.db, userId, id, titleOf(input))
    .catch((error: unknown) => (violatedConstraint(error) === 'trade_titles_key' ? failField('title', 'duplicate') : Promise.reject(error)));
  return changed ?? fail('not_found');
}

export async function removeTitle(ctx: Context, userId: string, id: string): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.titleRemoval.store(ctx, tx, { siteId: null, id, by: userId });
    if (!(await queries.deleteTitle(tx, userId, id))) fail('not_found');
  });
}

/** Throws `conflict` if the person has the maximum number of titles, `place_taken` if they have saved the same one again. */
export async function restoreTitle(ctx: Context, userId: string, id: string): Promise<TitleRecord> {
  return ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.titlesOf(tx, userId)).length >= mostTitles) fail('conflict');
    await queries.titleRemoval.restore(ctx, tx, { siteId: null, id, by: userId });
    return (await queries.titlesOf(tx, userId)).find((title) => title.id === id) ?? fail('not_found');
  });
}

/**
 * Requests an invoice. Orders are locked in the order of their ids, so that two requests over the same orders cannot deadlock. `mayAsk`: whether this caller
 * may request one for this customer. Returns the id.
 */
export async function addInvoice(
  ctx: Context,
  input: NewInvoice,
  who: OrderAccess,
  doer: Doer & { readonly id: string },
  mayAsk: (customerId: string) => boolean,
): Promise<string> {
  refuseIncomplete(input, input.type === 'special');
  const at = new Date(ctx.now());
  const parts = input.orders.map(({ orderId, amount }) => ({ orderId: orderId.toLowerCase(), amount }));
  const twice = parts.findIndex(({ orderId }, i) => parts.findIndex((other) => other.orderId === orderId) !== i);
  if (twice >= 0) failField(`orders.${twice}.orderId`, 'duplicate');
  return ctx.postgres.db.transaction(async (tx) => {
    const orders = new Map<string, OrderRecord>();
    for (const { orderId } of parts.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))) {
      const order = await lockOrder(tx, orderId, who);
      if (order) orders.set(orderId, order);
    }
    const first = orders.get(parts[0]?.orderId ?? '');
    for (const [i, { orderId, amount }] of parts.entries()) {
      const order = orders.get(orderId);
      if (!order || !first || order.customerId !== first.customerId) return failField(`orders.${i}.orderId`, 'unknown');
      if (!mayAsk(order.customerId)) fail('forbidden');
      if (order.currency !== first.currency) fail('currency_mixed', { fields: { [`orders.${i}.orderId`]: { code: 'pattern' } } });
      if (!isSettled(order.state)) fail('bad_transition');
      const sums = await sumsOf(tx, orderId);
      const remaining = invoiceable(order.total, sums) - sums.invoiced;
      if (amount > remaining) fail('amount_exceeded', { fields: { [`orders.${i}.amount`]: { code: 'out_of_range', max: Math.max(0, remaining) } } });
    }
    if (!first) return failField('orders', 'required');
    const amount = parts.reduce((sum, one) => sum + one.amount, 0);
    const { customerId, currency } = first;
    const invoice = await queries.insertInvoice(
      tx,
      { customerId, currency, type: input.type, ...titleOf(input), amount, createdBy: doer.id, createdAt: at },
      parts,
    );
    // An already saved title stays unchanged.
    if (input.saveTitle && (await queries.titlesOf(tx, doer.id)).length < mostTitles)
      await queries.insertTitle(tx, { userId: doer.id, ...titleOf(input), createdAt: at });
    await record(ctx, tx, doer.actor, {
      action: 'trade.invoice_added',
      target: { kind: 'invoice', id: invoice.id, name: input.title },
      after: { type: input.type, title: input.title, amount, currency, orders: [...orders.values()].map((order) => order.number) },
    });
    return invoice.id;
  });
}

/** Field errors of a move with missing values. */
function missing(move: InvoiceMove): FieldErrors | null {
  const required = { code: 'required' } as const;
  if (move.to === 'issued' && move.number === '') return { number: required };
  if (move.to === 'rejected' && move.reason === '') return { reason: required };
  if (move.to !== 'red') return null;
  const fields = { ...(move.number === '' ? { number: required } : {}), ...(move.redReason === null ? { redReason: required } : {}) };
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Issues, rejects or reverses an invoice. Returns false if it has another revision in the meantime. */
export async function moveInvoice(ctx: Context, id: string, revision: number, move: InvoiceMove, doer: Doer): Promise<boolean> {
  const at = new Date(ctx.now());
  const work = ctx.postgres.db.transaction(async (tx) => {
    const invoice = (await queries.lockInvoice(tx, id)) ?? fail('not_found');
    if (invoice.revision !== revision) return false;
    if (!mayMoveInvoice(invoice.state, move.to)) fail('bad_transition');
    const fields = missing(move);
    if (fields) fail('invalid_fields', { fields });
    const change: Partial<InvoiceRecord> = { state: move.to };
    if (move.to === 'issued') {
      change.number = move.number;
      change.issuedAt = at;
      if (move.file) change.fileId = await keepFile(tx, move.file, 'file', 'pattern', at);
    } else if (move.to === 'rejected') change.reason = move.reason;
    else if (move.to === 'red') Object.assign(change, { redNumber: move.number, redReason: move.redReason, reason: move.reason });
    await queries.updateInvoice(tx, id, change);
    if (move.to === 'issued') await tellIssued(ctx, tx, { ...invoice, number: move.number, hasFile: move.file !== null });
    await record(ctx, tx, doer.actor, {
      action: 'trade.invoice_moved',
      target: { kind: 'invoice', id, name: invoice.title },
      before: { state: invoice.state },
      after: { state: move.to, number: move.number, reason: move.redReason ?? move.reason, amount: invoice.amount },
    });
    return true;
  });
  return work.catch((error: unknown) => (violatedConstraint(error) === 'trade_invoices_number_key' ? failField('number', 'taken') : Promise.reject(error)));
}
