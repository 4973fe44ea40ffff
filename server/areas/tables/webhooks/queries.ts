import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { webhookLimits } from '../../../../contract/tables/webhooks';
import type { DeliveryState, WebhookEvent } from '../../../../contract/tables/webhooks';
import { sites } from '../../sites/schema';
import { defineRemoval } from '../../../kit/removals';
import { contentDeliveries, contentWebhooks } from '../core/schema';
import { webhookChannel } from '../core/write/outbox';
import { chooseDue, holdsBack } from './order';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type WebhookRecord = typeof contentWebhooks.$inferSelect;
export type DeliveryRecord = typeof contentDeliveries.$inferSelect;

const d = contentDeliveries;
const waiting = eq(d.state, 'waiting');
/** Deliveries that come back with a removed webhook: those that wait, then the latest. Their bodies do not: they would be most of the bytes, and are built again. */
const restoredDeliveries = 1000;
export const removal = defineRemoval('webhook', contentWebhooks, [
  { table: contentDeliveries, of: d.hookId, most: restoredDeliveries, order: [desc(waiting), desc(d.id)], without: d.body },
]);
const free = (now: Date) => or(isNull(d.leaseUntil), lte(d.leaseUntil, now));

export const webhooksOf = (db: Db, siteId: string): Promise<WebhookRecord[]> =>
  db.select().from(contentWebhooks).where(eq(contentWebhooks.siteId, siteId)).orderBy(contentWebhooks.createdAt, contentWebhooks.id);
export const findWebhook = async (db: Db, siteId: string, id: string): Promise<WebhookRecord | null> =>
  (
    await db
      .select()
      .from(contentWebhooks)
      .where(and(eq(contentWebhooks.siteId, siteId), eq(contentWebhooks.id, id)))
  )[0] ?? null;
/** Locks the webhook until the transaction ends. */
export const lockWebhook = async (db: Db, siteId: string, id: string): Promise<WebhookRecord | null> =>
  (
    await db
      .select()
      .from(contentWebhooks)
      .where(and(eq(contentWebhooks.siteId, siteId), eq(contentWebhooks.id, id)))
      .for('no key update')
  )[0] ?? null;
export async function insertWebhook(db: Db, row: typeof contentWebhooks.$inferInsert): Promise<WebhookRecord> {
  const [created] = await db.insert(contentWebhooks).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}
export async function updateWebhook(db: Db, id: string, change: Partial<WebhookRecord>): Promise<WebhookRecord> {
  const [updatedHook] = await db
    .update(contentWebhooks)
    .set({ ...change, revision: sql`${contentWebhooks.revision} + 1` })
    .where(eq(contentWebhooks.id, id))
    .returning();
  if (!updatedHook) throw new Error('PostgreSQL returned no row');
  return updatedHook;
}
export const deleteWebhook = (db: Db, id: string) => db.delete(contentWebhooks).where(eq(contentWebhooks.id, id));

export type Figures = {
  readonly sent: number;
  readonly failed: number;
  readonly waiting: number;
  readonly latest: readonly {
    readonly id: number;
    readonly state: DeliveryState;
    readonly event: string;
    readonly at: string;
    readonly status: number | null;
  }[];
};
/** Results of the latest deliveries of each webhook of a site, or of one. */
export async function figuresOf(db: Db, siteId: string, id: string | null = null): Promise<Map<string, Figures>> {
  const { rows } = await db.execute<{ id: string; sent: string; failed: string; waiting: string; latest: Figures['latest'] | null }>(sql`
    SELECT h.id, e.sent, e.failed, w.waiting, l.latest FROM content_hooks h
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE x.state = 'sent') AS sent, count(*) FILTER (WHERE x.state = 'failed') AS failed FROM
      (SELECT o.state FROM content_deliveries o WHERE o.hook_id = h.id AND o.state <> 'waiting' AND o.event <> 'test' ORDER BY o.id DESC LIMIT ${webhookLimits.counted}) x) e
    CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM content_deliveries o WHERE o.hook_id = h.id AND o.state = 'waiting') w
    CROSS JOIN LATERAL (SELECT json_agg(x ORDER BY x.id DESC) AS latest FROM
      (SELECT o.id, o.state, o.event, o.at, o.status FROM content_deliveries o WHERE o.hook_id = h.id ORDER BY o.id DESC LIMIT 12) x) l
    WHERE h.site_id = ${siteId}::text ${id === null ? sql`` : sql`AND h.id = ${id}::uuid`}`);
  return new Map(rows.map((row) => [row.id, { sent: Number(row.sent), failed: Number(row.failed), waiting: Number(row.waiting), latest: row.latest ?? [] }]));
}

/** Latest first; without bodies. */
export const deliveriesOf = (
  db: Db,
  hookId: string,
  { state, event, before, size }: { readonly state?: DeliveryState; readonly event?: WebhookEvent | 'test'; readonly before?: number; readonly size: number },
): Promise<DeliveryRecord[]> =>
  db
    .select()
    .from(d)
    .where(
      and(
        eq(d.hookId, hookId),
        state === undefined ? undefined : eq(d.state, state),
        event === undefined ? undefined : eq(d.event, event),
        before === undefined ? undefined : lt(d.id, before),
      ),
    )
    .orderBy(desc(d.id))
    .limit(size);
export const findDelivery = async (db: Db, hookId: string, id: number): Promise<DeliveryRecord | null> =>
  (
    await db
      .select()
      .from(d)
      .where(and(eq(d.hookId, hookId), eq(d.id, id)))
  )[0] ?? null;
export async function insertDelivery(db: Db, row: typeof contentDeliveries.$inferInsert): Promise<DeliveryRecord> {
  const [created] = await db.insert(d).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

const wake = (db: Db) => db.execute(sql`select pg_notify(${webhookChannel}, '')`);
const again = (now: Date) => ({ state: 'waiting' as const, attempts: 0, nextAt: now, leaseUntil: null, error: null });
/** Queues a delivery again, unless it is in progress. */
export async function replay(db: Db, id: number, now: Date): Promise<void> {
  await db
    .update(d)
    .set(again(now))
    .where(and(eq(d.id, id), free(now)));
  await wake(db);
}
/** Queues all deliveries that failed since a moment, except tests; returns how many. */
export async function replayFailed(db: Db, hookId: string, since: Date, now: Date): Promise<number> {
  const { rowCount } = await db
    .update(d)
    .set(again(now))
    .where(and(eq(d.hookId, hookId), eq(d.state, 'failed'), gte(d.at, since), sql`${d.event} <> 'test'`));
  await wake(db);
  return rowCount ?? 0;
}
/** Wakes the senders when a webhook is enabled, for deliveries that waited meanwhile. */
export const wakeSenders = wake;

/** Webhooks with due deliveries, of sites outside the bin. */
export async function dueWebhookIds(db: Db, now: Date): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT h.id FROM content_hooks h JOIN sites s ON s.id = h.site_id AND s.deleted_at IS NULL
    WHERE h.enabled AND EXISTS (SELECT 1 FROM content_deliveries o WHERE o.hook_id = h.id AND o.state = 'waiting'
      AND o.next_at <= ${now.toISOString()}::timestamptz AND (o.lease_until IS NULL OR o.lease_until <= ${now.toISOString()}::timestamptz))
    ORDER BY random()`);
  return rows.map(({ id }) => id);
}

const windowSize = 60;

export type WebhookLease = {
  readonly hook: WebhookRecord;
  readonly site: { id: string; name: string; timeZone: string };
  readonly deliveries: DeliveryRecord[];
};
/**
 * Leases due deliveries of one webhook until `leaseUntil`, oldest first, at most `room`, with at most `most` in progress across all processes.
 * Deliveries about a record wait for older undelivered ones about it, until those have failed four times. null: another process is leasing from it now.
 */
export async function takeDue(db: NodePgDatabase, hookId: string, most: number, capacity: number, now: Date, leaseUntil: Date): Promise<WebhookLease | null> {
  return db.transaction(async (tx) => {
    // Not FOR UPDATE, which would block changes of records, because these refer to the webhook.
    const [hook] = await tx
      .select()
      .from(contentWebhooks)
      .where(and(eq(contentWebhooks.id, hookId), eq(contentWebhooks.enabled, true)))
      .for('no key update', { skipLocked: true });
    if (!hook) return null;
    const [site] = await tx
      .select({ id: sites.id, name: sites.name, timeZone: sites.timeZone })
      .from(sites)
      .where(and(eq(sites.id, hook.siteId), isNull(sites.deletedAt)));
    if (!site) return null;
    // Everything that may block others, and everything due, in order: each delivery finds in this window what it must wait for.
    const window = await tx
      .select({ id: d.id, recordIds: d.recordIds, nextAt: d.nextAt, leaseUntil: d.leaseUntil })
      .from(d)
      .where(and(eq(d.hookId, hookId), waiting, or(lt(d.attempts, holdsBack), sql`${d.leaseUntil} > ${now.toISOString()}::timestamptz`, lte(d.nextAt, now))))
      .orderBy(d.id)
      .limit(windowSize);
    const chosen = chooseDue(window, now, capacity, most);
    const deliveries =
      chosen.length === 0
        ? []
        : await tx
            .update(d)
            .set({ leaseUntil, attempts: sql`${d.attempts} + 1` })
            .where(inArray(d.id, chosen))
            .returning();
    return { hook, site, deliveries: deliveries.sort((a, b) => a.id - b.id) };
  });
}

/** Only while the lease is ours: after it expires, another process may have taken it. */
const held = ({ id, attempts }: DeliveryRecord) => and(eq(d.id, id), eq(d.attempts, attempts), waiting);
export type Result = Pick<DeliveryRecord, 'state' | 'status' | 'error' | 'reply' | 'ms' | 'nextAt'> & {
  readonly body: string | null;
  readonly sentAt: Date | null;
};
/** Stores the result of an attempt; false if the lease was lost. */
export async function settle(db: Db, row: DeliveryRecord, result: Result): Promise<boolean> {
  const { rowCount } = await db
    .update(d)
    .set({ ...result, leaseUntil: null })
    .where(held(row));
  return (rowCount ?? 0) > 0;
}
/** Releases the lease without an attempt. */
export const giveBack = (db: Db, row: DeliveryRecord) =>
  db
    .update(d)
    .set({ leaseUntil: null, attempts: row.attempts - 1 })
    .where(held(row));
/** Deletes a delivery of which the filter leaves nothing. */
export const dropDelivery = (db: Db, row: DeliveryRecord) => db.delete(d).where(held(row));

export const noteSuccess = (db: Db, hookId: string) =>
  db
    .update(contentWebhooks)
    .set({ failingSince: null })
    .where(and(eq(contentWebhooks.id, hookId), isNotNull(contentWebhooks.failingSince)));
/** Start of the current run of failures, including this one. */
export async function noteFailure(db: Db, hookId: string, now: Date): Promise<Date> {
  const [row] = await db
    .update(contentWebhooks)
    .set({ failingSince: sql`coalesce(${contentWebhooks.failingSince}, ${now.toISOString()}::timestamptz)` })
    .where(eq(contentWebhooks.id, hookId))
    .returning({ since: contentWebhooks.failingSince });
  return row?.since ?? now;
}
/** Disables a webhook and cancels its waiting deliveries; null if it is already off. */
export async function switchOff(db: Db, hookId: string, reason: 'gone' | 'failing', now: Date): Promise<WebhookRecord | null> {
  const [hook] = await db
    .update(contentWebhooks)
    .set({ enabled: false, offReason: reason, offAt: now, revision: sql`${contentWebhooks.revision} + 1` })
    .where(and(eq(contentWebhooks.id, hookId), eq(contentWebhooks.enabled, true)))
    .returning();
  if (!hook) return null;
  await db
    .update(d)
    .set({ state: 'failed', error: 'switched_off', nextAt: null, leaseUntil: null })
    .where(and(eq(d.hookId, hookId), waiting));
  return hook;
}

export const siteNamed = async (db: Db, id: string): Promise<{ id: string; name: string }> =>
  (await db.select({ id: sites.id, name: sites.name }).from(sites).where(eq(sites.id, id)))[0] ?? { id, name: '' };

const swept = 5000;
/** Deletes deliveries from before a moment, and expired old secrets. */
export async function sweep(db: Db, before: Date, now: Date): Promise<void> {
  for (;;) {
    const old = db.select({ id: d.id }).from(d).where(lt(d.at, before)).orderBy(d.at).limit(swept);
    const { rowCount } = await db.delete(d).where(inArray(d.id, old));
    if ((rowCount ?? 0) < swept) break;
  }
  await db.update(contentWebhooks).set({ oldSecret: null, oldSecretUntil: null }).where(lte(contentWebhooks.oldSecretUntil, now));
}
