import { and, eq, gte, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Currency } from '../../../contract/trades/ledger';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import type { Db, OrderAccess } from './queries';
import { tradeNotices, tradeOrders } from './schema';

export type StatementKind = 'charge' | 'cancellation' | 'payment' | 'reversal' | 'refund';
export type StatementEvent = { readonly at: Date; readonly kind: StatementKind; readonly number: string; readonly title: string; readonly amount: number };

/** All events that changed a customer's balance in a currency, positive if they increased the debt; in chronological order. */
const events = (customerId: string, currency: Currency) => sql`
  select e.at, e.kind, o.number, o.title, e.amount, e.rank, e.id from trade_orders o
  cross join lateral (
    select o.charged_at as at, 'charge' as kind, o.total as amount, 1 as rank, o.id as id where o.charged_at is not null and o.total > 0
    union all
    select o.ended_at, 'cancellation', -o.total, 2, o.id where o.ended_at is not null and o.total > 0
    union all
    select p.confirmed_at, 'payment', -p.amount, 3, p.id from trade_payments p where p.order_id = o.id and p.confirmed_at is not null
    union all
    select p.reversed_at, 'reversal', p.amount, 4, p.id from trade_payments p where p.order_id = o.id and p.reversed_at is not null
    union all
    select r.done_at, 'cancellation', -r.waived, 5, r.id from trade_refunds r where r.order_id = o.id and r.done_at is not null and r.waived > 0
    union all
    select r.done_at, 'refund', r.amount, 6, r.id from trade_refunds r where r.order_id = o.id and r.done_at is not null
  ) e
  where o.customer_id = ${customerId} and o.currency = ${currency}`;

/** The balance before `from`, and all events from `from` (inclusive) to `until` (exclusive). */
export async function statementEvents(
  db: Db,
  customerId: string,
  currency: Currency,
  from: Date,
  until: Date,
): Promise<{ opening: number; events: StatementEvent[] }> {
  const all = events(customerId, currency);
  const before = await db.execute<{ sum: string }>(sql`select coalesce(sum(amount), 0) as sum from (${all}) e where at < ${from.toISOString()}::timestamptz`);
  const { rows } = await db.execute<{ at: Date | string; kind: StatementKind; number: string; title: string; amount: string }>(
    sql`select at, kind, number, title, amount from (${all}) e
      where at >= ${from.toISOString()}::timestamptz and at < ${until.toISOString()}::timestamptz order by at, number, rank, id`,
  );
  return {
    opening: Number(before.rows[0]?.sum ?? 0),
    events: rows.map(({ at, amount, ...rest }) => ({ ...rest, at: new Date(at), amount: Number(amount) })),
  };
}

/** Paid orders whose period ends in a range of days, the earliest first, each with its renewal. */
export async function endingOrders(db: Db, who: OrderAccess, from: string, to: string) {
  const renewal = (part: 'id' | 'state') =>
    sql<string | null>`(select r.${sql.raw(part)}::text from trade_orders r where r.renews_id = ${tradeOrders.id} and r.state not in ('cancelled', 'expired'))`;
  return db
    .select({ order: tradeOrders, customerName: users.displayName, siteName: sites.name, renewalId: renewal('id'), renewalState: renewal('state') })
    .from(tradeOrders)
    .innerJoin(users, eq(users.id, tradeOrders.customerId))
    .leftJoin(sites, eq(sites.id, tradeOrders.siteId))
    .where(
      and(
        inArray(tradeOrders.state, ['paid', 'fulfilled', 'partly_refunded']),
        gte(tradeOrders.periodTo, from),
        lte(tradeOrders.periodTo, to),
        who.customerId === null ? undefined : eq(tradeOrders.customerId, who.customerId),
        who.siteIds === null ? undefined : inArray(tradeOrders.siteId, [...who.siteIds]),
      ),
    )
    .orderBy(tradeOrders.periodTo, tradeOrders.number);
}

/** Records that a notice is sent. False if it already was. */
export const takeNotice = async (db: Db, orderId: string, days: number, now: Date): Promise<boolean> =>
  (await db.insert(tradeNotices).values({ orderId, days, sentAt: now }).onConflictDoNothing().returning({ days: tradeNotices.days })).length > 0;

/** A person who can have a statement, deleted customers included. */
export const customerOf = async (db: Db, id: string): Promise<{ id: string; name: string } | null> =>
  (
    await db
      .select({ id: users.id, name: users.displayName })
      .from(users)
      .where(and(eq(users.id, id), or(isNull(users.deletedAt), inArray(users.id, db.select({ id: tradeOrders.customerId }).from(tradeOrders)))))
  )[0] ?? null;
