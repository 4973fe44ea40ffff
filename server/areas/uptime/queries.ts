import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { checkedStates } from '../../../contract/sites/terms';
import type { UptimeInput } from '../../../contract/uptime/schemas';
import { sites } from '../sites/schema';
import { uptimeIncidents, uptimeMonitors, uptimeWarnings } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type MonitorRecord = typeof uptimeMonitors.$inferSelect;
export type IncidentRecord = typeof uptimeIncidents.$inferSelect;
export type MonitoredSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'slug' | 'purpose' | 'url' | 'timeZone'>;
export type LeasedMonitor = { readonly monitor: MonitorRecord; readonly site: MonitoredSite };

const m = uptimeMonitors;
/** Pages are answered with an error on purpose during maintenance, and behind a password. */
const siteIsChecked = and(inArray(sites.state, [...checkedStates]), eq(sites.visibility, 'public'));

export const findMonitor = async (db: Db, siteId: string): Promise<MonitorRecord | null> => (await db.select().from(m).where(eq(m.siteId, siteId)))[0] ?? null;

/** Monitors of the given sites that are enabled. */
export const findMonitors = (db: Db, siteIds: readonly string[]): Promise<MonitorRecord[]> =>
  siteIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(m)
        .where(and(m.enabled, inArray(m.siteId, [...siteIds])));

/** The monitor, locked until the transaction ends. */
export const lockMonitor = async (db: Db, siteId: string): Promise<MonitorRecord | null> =>
  (await db.select().from(m).where(eq(m.siteId, siteId)).for('update'))[0] ?? null;

const forgotten = { state: 'unknown', since: null, checkedAt: null, responseMs: null, reason: null, detail: '', failingSince: null } as const;

/**
 * Writes settings if the stored ones have `revision` (0: none stored yet) and makes the monitor due at once; the result of a running check is discarded.
 * `anew`: earlier results belong to other settings and are reset. Null if they have another revision in the meantime.
 */
export async function putSettings(db: Db, siteId: string, input: UptimeInput, revision: number, now: Date, anew: boolean): Promise<MonitorRecord | null> {
  if (revision === 0) {
    const [created] = await db
      .insert(m)
      .values({ siteId, ...input, nextAt: now })
      .onConflictDoNothing()
      .returning();
    return created ?? null;
  }
  const [changed] = await db
    .update(m)
    .set({
      ...input,
      revision: revision + 1,
      nextAt: now,
      leaseId: null,
      leaseUntil: null,
      failingSince: null,
      ...(anew && { ...forgotten, certificateExpiresAt: null }),
    })
    .where(and(eq(m.siteId, siteId), eq(m.revision, revision)))
    .returning();
  return changed ?? null;
}

/** Claims due monitors of sites that are checked, the longest overdue first, exclusively until `leaseUntil`. */
export async function takeDue(db: Db, most: number, leaseId: string, now: Date, leaseUntil: Date): Promise<LeasedMonitor[]> {
  const due = db
    .select({ siteId: m.siteId })
    .from(m)
    .innerJoin(sites, and(eq(sites.id, m.siteId), siteIsChecked))
    .where(and(m.enabled, lte(m.nextAt, now), or(isNull(m.leaseUntil), lte(m.leaseUntil, now))))
    .orderBy(asc(m.nextAt))
    .limit(most)
    .for('update', { of: m, skipLocked: true });
  const monitors = await db.update(m).set({ leaseId, leaseUntil }).where(inArray(m.siteId, due)).returning();
  if (monitors.length === 0) return [];
  const rows = await db
    .select({ id: sites.id, name: sites.name, slug: sites.slug, purpose: sites.purpose, url: sites.url, timeZone: sites.timeZone })
    .from(sites)
    .where(
      inArray(
        sites.id,
        monitors.map(({ siteId }) => siteId),
      ),
    );
  const byId = new Map(rows.map((site) => [site.id, site]));
  return monitors.flatMap((monitor) => {
    const site = byId.get(monitor.siteId);
    return site ? [{ monitor, site }] : [];
  });
}

const held = ({ siteId, leaseId }: MonitorRecord) => and(eq(m.siteId, siteId), leaseId === null ? sql`false` : eq(m.leaseId, leaseId));

/** Stores the result of a check and releases the monitor. False if another process has claimed it, or its settings have changed. */
export async function settle(db: Db, monitor: MonitorRecord, found: Partial<MonitorRecord>): Promise<boolean> {
  const rows = await db
    .update(m)
    .set({ ...found, leaseId: null, leaseUntil: null })
    .where(held(monitor))
    .returning({ siteId: m.siteId });
  return rows.length > 0;
}

/** Releases the monitor as if it had not been claimed. */
export const giveBack = (db: Db, monitor: MonitorRecord) => db.update(m).set({ leaseId: null, leaseUntil: null }).where(held(monitor));

export const openIncident = (db: Db, row: typeof uptimeIncidents.$inferInsert) => db.insert(uptimeIncidents).values(row);

/** Ends the open incident of a site; null if there is none. */
export const closeIncident = async (db: Db, siteId: string, now: Date): Promise<IncidentRecord | null> =>
  (
    await db
      .update(uptimeIncidents)
      .set({ endedAt: now })
      .where(and(eq(uptimeIncidents.siteId, siteId), isNull(uptimeIncidents.endedAt)))
      .returning()
  )[0] ?? null;

/** Newest first, with one more than `size` if there are more. */
export const incidentsOf = (db: Db, siteId: string, before: number | null, size: number): Promise<IncidentRecord[]> =>
  db
    .select()
    .from(uptimeIncidents)
    .where(and(eq(uptimeIncidents.siteId, siteId), before === null ? undefined : lt(uptimeIncidents.id, before)))
    .orderBy(desc(uptimeIncidents.id))
    .limit(size + 1);

/** True for the process that must send the warning of a certificate's step. */
export const takeWarning = async (db: Db, row: typeof uptimeWarnings.$inferInsert): Promise<boolean> =>
  (await db.insert(uptimeWarnings).values(row).onConflictDoNothing().returning()).length > 0;

export async function forget(db: Db, before: Date): Promise<void> {
  await db.delete(uptimeIncidents).where(lt(uptimeIncidents.endedAt, before));
  await db.delete(uptimeWarnings).where(lt(uptimeWarnings.expiresAt, before));
}

/** Resets monitors of sites that are not checked, so that they start anew when the site is open again. */
export async function resetInactive(db: Db, now: Date): Promise<void> {
  const inactive = db
    .select({ id: sites.id })
    .from(sites)
    .where(sql`NOT (${siteIsChecked})`);
  await db
    .update(m)
    .set(forgotten)
    .where(and(inArray(m.siteId, inactive), ne(m.state, 'unknown')));
  await db
    .update(uptimeIncidents)
    .set({ endedAt: now })
    .where(and(inArray(uptimeIncidents.siteId, inactive), isNull(uptimeIncidents.endedAt)));
}
