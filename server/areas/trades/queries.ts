import { and, asc, count, desc, eq, gte, ilike, inArray, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Currency, OrderState } from '../../../contract/trades/ledger';
import { defineRemoval } from '../../kit/removals';
import { addDays, dayStart } from '../../zone';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import type { Sums } from './state';
import { tradeFiles, tradeHistory, tradeNumbers, tradeOrderItems, tradeOrders, tradePayments, tradeRefunds } from './schema';
import { containing } from '../../stores/postgres/like';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type OrderRecord = typeof tradeOrders.$inferSelect;
export type ItemRecord = typeof tradeOrderItems.$inferSelect;
export type PaymentRecord = typeof tradePayments.$inferSelect;
export type RefundRecord = typeof tradeRefunds.$inferSelect;
export type FileRecord = typeof tradeFiles.$inferSelect;

/** The orders that a caller may see. */
export type OrderAccess = {
  /** null: all customers, drafts included. */
  readonly customerId: string | null;
  /** null: all sites, and orders without a site. */
  readonly siteIds: readonly string[] | null;
};

export const one = <T>(rows: readonly T[]): T => {
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no row');
  return row;
};

/** Sums of an order of the outer query. */
const sumOf = (part: 'paid' | 'refunded' | 'invoiced'): SQL<number> => sql<number>`(trade_sums(trade_orders.id)).${sql.raw(part)}`.mapWith(Number);
const maker = sql<string>`(select u.display_name from users u where u.id = ${tradeOrders.createdBy})`;
const orderColumns = {
  order: tradeOrders,
  customerName: users.displayName,
  siteName: sites.name,
  makerName: maker,
  paid: sumOf('paid'),
  refunded: sumOf('refunded'),
  invoiced: sumOf('invoiced'),
};
export type OrderRow = {
  readonly order: OrderRecord;
  readonly customerName: string;
  readonly siteName: string | null;
  readonly makerName: string;
  readonly paid: number;
  readonly refunded: number;
  readonly invoiced: number;
};

const visibleTo = ({ customerId, siteIds }: OrderAccess): SQL | undefined =>
  and(
    customerId === null ? undefined : and(eq(tradeOrders.customerId, customerId), ne(tradeOrders.state, 'draft')),
    siteIds === null ? undefined : inArray(tradeOrders.siteId, [...siteIds]),
  );

export type OrderFilters = {
  readonly q?: string | undefined;
  readonly state?: OrderState | readonly OrderState[] | undefined;
  readonly kind?: OrderRecord['kind'] | undefined;
  readonly customerId?: string | undefined;
  readonly siteId?: string | undefined;
  readonly currency?: Currency | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sort: 'createdAt' | '-createdAt' | 'total' | '-total' | 'dueAt' | '-dueAt' | 'number' | '-number';
};

/** `timeZone`: the zone of the days `from` and `to`. */
function found(filters: OrderFilters, who: OrderAccess, timeZone: string): SQL | undefined {
  const { q, state, kind, customerId, siteId, currency, from, to } = filters;
  const like = q?.trim() ? containing(q.trim()) : null;
  const start = (day: string): Date => new Date(dayStart(day, timeZone));
  return and(
    visibleTo(who),
    state === undefined ? undefined : inArray(tradeOrders.state, typeof state === 'string' ? [state] : [...state]),
    kind && eq(tradeOrders.kind, kind),
    customerId === undefined ? undefined : eq(tradeOrders.customerId, customerId),
    siteId === undefined ? undefined : eq(tradeOrders.siteId, siteId),
    currency && eq(tradeOrders.currency, currency),
    from === undefined ? undefined : gte(tradeOrders.createdAt, start(from)),
    to === undefined ? undefined : lt(tradeOrders.createdAt, start(addDays(to, 1))),
    like === null
      ? undefined
      : or(
          ilike(tradeOrders.number, like),
          ilike(tradeOrders.title, like),
          ilike(users.displayName, like),
          sql`exists (select from trade_order_items i where i.order_id = ${tradeOrders.id} and i.name ilike ${like})`,
          sql`exists (select from trade_payments p where p.order_id = ${tradeOrders.id} and p.reference ilike ${like})`,
        ),
  );
}

const sortColumns = { createdAt: tradeOrders.createdAt, total: tradeOrders.total, dueAt: tradeOrders.dueAt, number: tradeOrders.number } as const;
function sorted(sort: OrderFilters['sort']): SQL[] {
  const column = sortColumns[sort.replace('-', '') as keyof typeof sortColumns];
  // Rows without a value come last in both directions.
  return sort.startsWith('-') ? [sql`${column} desc nulls last`, desc(tradeOrders.number)] : [sql`${column} asc nulls last`, asc(tradeOrders.number)];
}

const orderRows = (db: Db, where: SQL | undefined) =>
  db
    .select(orderColumns)
    .from(tradeOrders)
    .innerJoin(users, eq(users.id, tradeOrders.customerId))
    .leftJoin(sites, eq(sites.id, tradeOrders.siteId))
    .where(where);

export const findOrders = (db: Db, filters: OrderFilters, who: OrderAccess, timeZone: string, limit: number, offset: number): Promise<OrderRow[]> =>
  orderRows(db, found(filters, who, timeZone))
    .orderBy(...sorted(filters.sort))
    .limit(limit)
    .offset(offset);

/** The number of matching orders, and their sums by currency. */
export async function sumOrders(db: Db, filters: OrderFilters, who: OrderAccess, timeZone: string) {
  const rows = await db
    .select({
      currency: tradeOrders.currency,
      orders: count(),
      total: sql`sum(${tradeOrders.total})`.mapWith(Number),
      paid: sql`sum(${sumOf('paid')})`.mapWith(Number),
      refunded: sql`sum(${sumOf('refunded')})`.mapWith(Number),
    })
    .from(tradeOrders)
    .innerJoin(users, eq(users.id, tradeOrders.customerId))
    .where(found(filters, who, timeZone))
    .groupBy(tradeOrders.currency)
    .orderBy(tradeOrders.currency);
  return {
    found: rows.reduce((sum, row) => sum + row.orders, 0),
    sums: rows.map(({ currency, total, paid, refunded }) => ({ currency, total, paid, refunded })),
  };
}

export const findOrderRow = async (db: Db, id: string, who: OrderAccess): Promise<OrderRow | null> =>
  (await orderRows(db, and(eq(tradeOrders.id, id), visibleTo(who))))[0] ?? null;

/** The order's row, locked until the transaction ends: changes of an order, its payments and its refunds are serialized. */
export const lockOrder = async (db: Db, id: string, who: OrderAccess): Promise<OrderRecord | null> =>
  (
    await db
      .select()
      .from(tradeOrders)
      .where(and(eq(tradeOrders.id, id), visibleTo(who)))
      .for('update')
  )[0] ?? null;

export const itemsOf = (db: Db, orderIds: readonly string[]): Promise<ItemRecord[]> =>
  db
    .select()
    .from(tradeOrderItems)
    .where(inArray(tradeOrderItems.orderId, [...orderIds]))
    .orderBy(tradeOrderItems.orderId, tradeOrderItems.position);

/** `customerId`: compare references only with payments of this customer, for readers who may not know of other customers' payments. */
export async function paymentsOf(db: Db, orderId: string, customerId: string | null) {
  const same = sql<boolean>`(${tradePayments.reference} <> '' and ${tradePayments.state} in ('recorded', 'confirmed') and exists (
    select from trade_payments other join trade_orders o on o.id = other.order_id
    where other.reference = ${tradePayments.reference} and other.id <> ${tradePayments.id} and other.state in ('recorded', 'confirmed')
      and (${customerId}::uuid is null or o.customer_id = ${customerId}::uuid)))`;
  return db
    .select({ payment: tradePayments, makerName: users.displayName, fileName: tradeFiles.name, fileBytes: tradeFiles.bytes, sameReference: same })
    .from(tradePayments)
    .innerJoin(users, eq(users.id, tradePayments.createdBy))
    .leftJoin(tradeFiles, eq(tradeFiles.id, tradePayments.fileId))
    .where(eq(tradePayments.orderId, orderId))
    .orderBy(tradePayments.createdAt, tradePayments.id);
}

export const refundsOf = (db: Db, orderId: string) =>
  db
    .select({ refund: tradeRefunds, makerName: users.displayName })
    .from(tradeRefunds)
    .innerJoin(users, eq(users.id, tradeRefunds.createdBy))
    .where(eq(tradeRefunds.orderId, orderId))
    .orderBy(tradeRefunds.createdAt, tradeRefunds.id);

export const historyOf = (db: Db, orderId: string) => db.select().from(tradeHistory).where(eq(tradeHistory.orderId, orderId)).orderBy(tradeHistory.id);

/** `T20261120-0001`. The row of the day is locked until the transaction ends, so that two orders never get the same number. */
export async function takeNumber(db: Db, day: string): Promise<string> {
  const rows = await db
    .insert(tradeNumbers)
    .values({ day, last: 1 })
    .onConflictDoUpdate({ target: tradeNumbers.day, set: { last: sql`${tradeNumbers.last} + 1` } })
    .returning({ last: tradeNumbers.last });
  return `T${day.replaceAll('-', '')}-${String(one(rows).last).padStart(4, '0')}`;
}

export const insertOrder = async (db: Db, row: typeof tradeOrders.$inferInsert): Promise<OrderRecord> =>
  one(await db.insert(tradeOrders).values(row).returning());
export async function replaceItems(
  db: Db,
  orderId: string,
  items: readonly Omit<typeof tradeOrderItems.$inferInsert, 'orderId' | 'position'>[],
): Promise<void> {
  await db.delete(tradeOrderItems).where(eq(tradeOrderItems.orderId, orderId));
  await db.insert(tradeOrderItems).values(items.map((item, position) => ({ ...item, orderId, position })));
}
/** Changes a locked order and increments its revision. */
export const updateOrder = async (db: Db, id: string, change: Partial<OrderRecord>): Promise<OrderRecord> =>
  one(
    await db
      .update(tradeOrders)
      .set({ ...change, revision: sql`${tradeOrders.revision} + 1` })
      .where(eq(tradeOrders.id, id))
      .returning(),
  );
/** Undo of the deletion of a draft. */
export const removal = defineRemoval('order', tradeOrders, [
  { table: tradeOrderItems, of: tradeOrderItems.orderId },
  { table: tradeHistory, of: tradeHistory.orderId },
]);
export const deleteOrder = (db: Db, id: string) => db.delete(tradeOrders).where(eq(tradeOrders.id, id));
export const insertHistory = (db: Db, row: Omit<typeof tradeHistory.$inferInsert, 'id'>) => db.insert(tradeHistory).values(row);

/** Drafts count as renewals; cancelled and expired orders do not. */
export const renewalOf = async (db: Db, orderId: string): Promise<string | null> =>
  (
    await db
      .select({ id: tradeOrders.id })
      .from(tradeOrders)
      .where(and(eq(tradeOrders.renewsId, orderId), notInArray(tradeOrders.state, ['cancelled', 'expired'])))
  )[0]?.id ?? null;

export async function sumsOf(db: Db, orderId: string): Promise<Sums & { readonly invoiced: number; readonly waiting: number }> {
  const { rows } = await db.execute<{ paid: string; refunded: string; waived: string; open_refunds: string; invoiced: string; waiting: string }>(
    sql`select s.*, (select count(*) from trade_payments p where p.order_id = ${orderId} and p.state = 'recorded') as waiting from trade_sums(${orderId}) s`,
  );
  const row = one(rows);
  return {
    paid: Number(row.paid),
    refunded: Number(row.refunded),
    waived: Number(row.waived),
    openRefunds: Number(row.open_refunds),
    invoiced: Number(row.invoiced),
    waiting: Number(row.waiting),
  };
}

export const findPayment = async (db: Db, id: string): Promise<PaymentRecord | null> =>
  (await db.select().from(tradePayments).where(eq(tradePayments.id, id)))[0] ?? null;
export const insertPayment = async (db: Db, row: typeof tradePayments.$inferInsert): Promise<PaymentRecord> =>
  one(await db.insert(tradePayments).values(row).returning());
export const updatePayment = (db: Db, id: string, change: Partial<PaymentRecord>) => db.update(tradePayments).set(change).where(eq(tradePayments.id, id));

export const findRefund = async (db: Db, id: string): Promise<RefundRecord | null> =>
  (await db.select().from(tradeRefunds).where(eq(tradeRefunds.id, id)))[0] ?? null;
/** The amount of a payment that is refunded or requested to be refunded. */
export const refundedOf = async (db: Db, paymentId: string): Promise<number> =>
  one(
    await db
      .select({ sum: sql`coalesce(sum(${tradeRefunds.amount}), 0)`.mapWith(Number) })
      .from(tradeRefunds)
      .where(and(eq(tradeRefunds.paymentId, paymentId), ne(tradeRefunds.state, 'rejected'))),
  ).sum;
export const insertRefund = async (db: Db, row: typeof tradeRefunds.$inferInsert): Promise<RefundRecord> =>
  one(await db.insert(tradeRefunds).values(row).returning());
export const updateRefund = (db: Db, id: string, change: Partial<RefundRecord>) => db.update(tradeRefunds).set(change).where(eq(tradeRefunds.id, id));

export const insertFile = async (db: Db, row: typeof tradeFiles.$inferInsert): Promise<string> =>
  one(await db.insert(tradeFiles).values(row).returning({ id: tradeFiles.id })).id;
export const findFile = async (db: Db, id: string): Promise<FileRecord | null> => (await db.select().from(tradeFiles).where(eq(tradeFiles.id, id)))[0] ?? null;

/** Orders awaiting payment after their due date for which no payment was ever reported. */
export const overdueOrders = async (db: Db, today: string): Promise<string[]> =>
  (
    await db
      .select({ id: tradeOrders.id })
      .from(tradeOrders)
      .where(
        and(
          eq(tradeOrders.state, 'pending'),
          lt(tradeOrders.dueAt, today),
          sql`not exists (select from trade_payments p where p.order_id = ${tradeOrders.id} and p.state <> 'failed')`,
        ),
      )
      .orderBy(tradeOrders.number)
  ).map(({ id }) => id);

export const customerExists = async (db: Db, id: string): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
  ).length > 0;
export const siteExists = async (db: Db, id: string): Promise<boolean> =>
  (
    await db
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.id, id), ne(sites.state, 'deleted')))
  ).length > 0;
/** All people and sites that an order can be for. */
export const possibleCustomers = (db: Db) =>
  db.select({ id: users.id, name: users.displayName }).from(users).where(isNull(users.deletedAt)).orderBy(users.displayName, users.id);
export const possibleSites = (db: Db) =>
  db.select({ id: sites.id, name: sites.name }).from(sites).where(ne(sites.state, 'deleted')).orderBy(sites.name, sites.id);
