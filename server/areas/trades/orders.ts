import type { z } from 'zod';
import { orderAmounts, orderFieldErrors, lineAmounts } from '../../../contract/trades/ledger';
import type { OrderInput, OrderState } from '../../../contract/trades/ledger';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { difference, record, systemActor } from '../audit';
import type { Actor } from '../audit';
import { ledgerDay } from './days';
import * as queries from './queries';
import type { Db, OrderRecord, OrderAccess } from './queries';
import { plainQuantity } from './responses';
import { mayMoveOrder, stateAfter } from './state';

export type NewOrder = z.output<typeof OrderInput>;

/** The actor of a change of the ledger, for its history and for the audit log. */
export type Doer = { readonly actor: Actor; readonly id: string | null; readonly name: string };
const system: Doer = { actor: systemActor, id: null, name: '' };

export const targetOf = (order: Pick<OrderRecord, 'id' | 'number' | 'siteId'>) => ({
  target: { kind: 'order', id: order.id, name: order.number },
  ...(order.siteId === null ? {} : { siteId: order.siteId }),
});

const everybody: OrderAccess = { customerId: null, siteIds: null };

/** Locks an order for the caller; `not_found` if they may not see it. */
export const held = async (tx: Db, id: string, who: OrderAccess): Promise<OrderRecord> => (await queries.lockOrder(tx, id, who)) ?? fail('not_found');

/** Moves a locked order and writes its history. Returns the new row; the revision always increases. */
async function setState(ctx: Context, tx: Db, order: OrderRecord, to: OrderState, doer: Doer): Promise<OrderRecord> {
  const at = new Date(ctx.now());
  const moved = await queries.updateOrder(tx, order.id, {
    state: to,
    ...(order.chargedAt === null && to === 'pending' ? { chargedAt: at } : {}),
    ...(to === 'fulfilled' && order.fulfilledAt === null ? { fulfilledAt: at } : {}),
    ...(to === 'pending' ? { fulfilledAt: null } : {}),
    ...(to === 'cancelled' || to === 'expired' ? { endedAt: at } : {}),
  });
  if (to !== order.state) await queries.insertHistory(tx, { orderId: order.id, at, fromState: order.state, toState: to, byId: doer.id, byName: doer.name });
  return moved;
}

/** Updates the state of a locked order after a change of its payments or refunds. */
export async function follow(ctx: Context, tx: Db, order: OrderRecord, doer: Doer): Promise<OrderRecord> {
  return setState(ctx, tx, order, stateAfter(order, await queries.sumsOf(tx, order.id)), doer);
}

function requireValidAmounts(input: NewOrder): void {
  const errors = Object.entries(orderFieldErrors(input));
  if (errors.length > 0) fail('invalid_fields', { fields: Object.fromEntries(errors.map(([name, code]) => [name, { code }])) });
}

async function refuseUnknown(db: Db, input: NewOrder, who: OrderAccess): Promise<void> {
  if (!(await queries.customerExists(db, input.customerId))) failField('customerId', 'unknown');
  const allowed = who.siteIds === null || (input.siteId !== null && who.siteIds.includes(input.siteId));
  if (!allowed || (input.siteId !== null && !(await queries.siteExists(db, input.siteId)))) failField('siteId', 'unknown');
}

const valuesOf = (input: NewOrder) => ({
  customerId: input.customerId.toLowerCase(),
  siteId: input.siteId,
  kind: input.kind,
  title: input.title,
  currency: input.currency,
  ...orderAmounts(input.items),
  periodFrom: input.period?.from ?? null,
  periodTo: input.period?.to ?? null,
  renewalNote: input.renewalNote,
  dueAt: input.dueAt,
});
const linesOf = (input: NewOrder) => input.items.map((item) => ({ ...item, quantity: plainQuantity(item.quantity), ...lineAmounts(item) }));

/** Creates a draft order; `renewsId` is the order that it renews. Throws the driver's error if that order already has a renewal. */
export async function draftOrder(
  ctx: Context,
  tx: Db,
  input: NewOrder,
  doer: Doer & { readonly id: string },
  renewsId: string | null = null,
): Promise<OrderRecord> {
  const at = new Date(ctx.now());
  const order = await queries.insertOrder(tx, {
    ...valuesOf(input),
    number: await queries.takeNumber(tx, ledgerDay(at.getTime())),
    note: input.note,
    memo: input.memo,
    renewsId,
    createdBy: doer.id,
    createdAt: at,
  });
  await queries.replaceItems(tx, order.id, linesOf(input));
  await queries.insertHistory(tx, { orderId: order.id, at, fromState: null, toState: 'draft', byId: doer.id, byName: doer.name });
  await record(ctx, tx, doer.actor, {
    action: 'trade.order_made',
    ...targetOf(order),
    after: { title: order.title, customerId: order.customerId, currency: order.currency, total: order.total },
  });
  return order;
}

export async function addOrder(ctx: Context, input: NewOrder, who: OrderAccess, doer: Doer & { readonly id: string }): Promise<string> {
  requireValidAmounts(input);
  return ctx.postgres.db.transaction(async (tx) => {
    await refuseUnknown(tx, input, who);
    return (await draftOrder(ctx, tx, input, doer)).id;
  });
}

const auditedFields = ['customerId', 'siteId', 'kind', 'title', 'currency', 'total', 'periodFrom', 'periodTo', 'dueAt', 'renewalNote', 'note', 'memo'] as const;

/** Replaces a draft; for orders in other states only note and memo may differ. Returns false if the row has another revision in the meantime. */
export async function changeOrder(ctx: Context, id: string, revision: number, input: NewOrder, who: OrderAccess, doer: Doer): Promise<boolean> {
  return ctx.postgres.db.transaction(async (tx) => {
    const order = await held(tx, id, who);
    if (order.revision !== revision) return false;
    if (order.state !== 'draft' && !(await isSame(tx, order, input))) fail('immutable');
    const values = { note: input.note, memo: input.memo };
    let changed: OrderRecord;
    if (order.state === 'draft') {
      requireValidAmounts(input);
      await refuseUnknown(tx, input, who);
      await queries.replaceItems(tx, id, linesOf(input));
      changed = await queries.updateOrder(tx, id, { ...valuesOf(input), ...values });
    } else changed = await queries.updateOrder(tx, id, values);
    await record(ctx, tx, doer.actor, { action: 'trade.order_changed', ...targetOf(changed), ...difference(order, changed, auditedFields) });
    return true;
  });
}

/** Whether an input equals the order, except for note and memo. */
async function isSame(tx: Db, order: OrderRecord, input: NewOrder): Promise<boolean> {
  const rows = await queries.itemsOf(tx, [order.id]);
  const items = rows.map(({ name, quantity, unitPrice, discount, taxRate }) => [name, plainQuantity(quantity), unitPrice, discount, taxRate]);
  const requestedItems = input.items.map(({ name, quantity, unitPrice, discount, taxRate }) => [name, plainQuantity(quantity), unitPrice, discount, taxRate]);
  const values = Object.entries(valuesOf(input)) as [keyof OrderRecord, unknown][];
  return JSON.stringify(items) === JSON.stringify(requestedItems) && values.every(([key, value]) => order[key] === value);
}

export async function removeOrder(ctx: Context, id: string, who: OrderAccess, doer: Doer): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const order = await held(tx, id, who);
    if (order.state !== 'draft') fail('immutable');
    if (doer.id !== null) await queries.removal.store(ctx, tx, { siteId: null, id, by: doer.id });
    await queries.deleteOrder(tx, id);
    await record(ctx, tx, doer.actor, { action: 'trade.order_removed', ...targetOf(order), before: { title: order.title, total: order.total } });
  });
}

/** Throws `place_taken` if the order that it renews has since been renewed by another one. */
export async function restoreOrder(ctx: Context, id: string, who: OrderAccess, doer: Doer): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removal.restore(ctx, tx, { siteId: null, id, by: doer.id ?? fail('not_found') });
    const order = await held(tx, id, who);
    await record(ctx, tx, doer.actor, { action: 'trade.order_restored', ...targetOf(order), after: { title: order.title, total: order.total } });
  });
}

/**
 * Requests payment, cancels, or marks as fulfilled. An order with a total of zero is paid at once. Reported or confirmed payments must be failed or reversed
 * before their order can be cancelled. Returns false if the row has another revision in the meantime.
 */
export async function moveOrder(
  ctx: Context,
  id: string,
  revision: number,
  to: 'pending' | 'cancelled' | 'fulfilled',
  who: OrderAccess,
  doer: Doer,
): Promise<boolean> {
  return ctx.postgres.db.transaction(async (tx) => {
    const order = await held(tx, id, who);
    if (order.revision !== revision) return false;
    if (!mayMoveOrder(order.state, to)) fail('bad_transition');
    if (to === 'cancelled') await refusePaid(tx, order);
    const moved = await setState(ctx, tx, order, to, doer);
    const last = to === 'pending' && moved.total === 0 ? await follow(ctx, tx, moved, doer) : moved;
    await writeMove(ctx, tx, order, last, doer);
    return true;
  });
}

const writeMove = (ctx: Context, tx: Db, before: OrderRecord, after: OrderRecord, doer: Doer): Promise<void> =>
  record(ctx, tx, doer.actor, { action: 'trade.order_moved', ...targetOf(after), ...difference(before, after, ['state']) });

async function refusePaid(tx: Db, order: OrderRecord): Promise<void> {
  const { paid, waiting } = await queries.sumsOf(tx, order.id);
  if (paid > 0 || waiting > 0) fail('bad_transition');
}

/** Expires orders whose due date has passed and for which no payment was ever reported. Runs on a schedule. */
export async function expireOrders(ctx: Context): Promise<void> {
  const today = ledgerDay(ctx.now());
  for (const id of await queries.overdueOrders(ctx.postgres.db, today)) {
    await ctx.postgres.db.transaction(async (tx) => {
      const order = await held(tx, id, everybody);
      // The order may have been paid or cancelled since the query.
      if (!(await queries.overdueOrders(tx, today)).includes(id)) return;
      await writeMove(ctx, tx, order, await setState(ctx, tx, order, 'expired', system), system);
    });
  }
}
