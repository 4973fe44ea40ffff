import { and, count, desc, eq, gte, ilike, lt, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PushEngine, PushKind, PushState } from '../../../../contract/seo/terms';
import { sites } from '../../sites/schema';
import { seoPageHashes, seoPushEngines, seoPushLedger, seoPushSettings } from './schema';
import { containing } from '../../../stores/postgres/like';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type PushSettingsRow = typeof seoPushSettings.$inferSelect;
export type PushEngineRow = typeof seoPushEngines.$inferSelect;
export type PushLedgerRow = typeof seoPushLedger.$inferSelect;

const [s, e, l] = [seoPushSettings, seoPushEngines, seoPushLedger];

/** Notified when addresses wait. */
export const pushChannel = 'seo_push';

/** Of a site that never chose an engine. */
export const noPush = (siteId: string): PushSettingsRow => ({
  siteId,
  indexnow: false,
  indexnowKey: null,
  baidu: false,
  baiduSite: '',
  baiduToken: null,
  automatic: true,
  enabledAt: null,
  scannedAt: null,
  scanQueuedAt: null,
});

export const findSettings = async (db: Db, siteId: string): Promise<PushSettingsRow | null> =>
  (await db.select().from(s).where(eq(s.siteId, siteId)))[0] ?? null;

export async function saveSettings(db: Db, row: PushSettingsRow): Promise<void> {
  const { siteId, ...rest } = row;
  await db.insert(s).values(row).onConflictDoUpdate({ target: s.siteId, set: rest });
  for (const engine of ['indexnow', 'baidu'] as const) await db.insert(e).values({ siteId, engine }).onConflictDoNothing();
}

/** Forgets what was wrong with an engine, so that what waits is sent. */
export const resetEngine = (db: Db, siteId: string, engine: PushEngine) =>
  db
    .update(e)
    .set({ problem: null, stopped: false, pausedUntil: null, failures: 0 })
    .where(and(eq(e.siteId, siteId), eq(e.engine, engine)));

export const setRemaining = (
  db: Db,
  { siteId, engine }: Pick<PushEngineRow, 'siteId' | 'engine'>,
  { remaining, remainingOn }: Pick<PushEngineRow, 'remaining' | 'remainingOn'>,
) =>
  db
    .update(e)
    .set({ remaining, remainingOn })
    .where(and(eq(e.siteId, siteId), eq(e.engine, engine)));

export const listEngines = (db: Db, siteId: string): Promise<PushEngineRow[]> => db.select().from(e).where(eq(e.siteId, siteId));

export type Counts = { readonly engine: PushEngine; readonly waiting: number; readonly sentToday: number };
/** `today`: the beginning of the site's day. */
export const countByEngine = (db: Db, siteId: string, today: Date): Promise<Counts[]> =>
  db
    .select({
      engine: l.engine,
      waiting: sql<number>`count(*) filter (where ${l.state} = 'waiting')`.mapWith(Number),
      sentToday: sql<number>`count(*) filter (where ${l.state} = 'sent' and ${gte(l.sentAt, today)})`.mapWith(Number),
    })
    .from(l)
    .where(eq(l.siteId, siteId))
    .groupBy(l.engine);

export type LedgerFilter = { readonly engine?: PushEngine | undefined; readonly state?: PushState | undefined; readonly q?: string | undefined };

export async function listLedger(
  db: Db,
  siteId: string,
  { engine, state, q }: LedgerFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: PushLedgerRow[]; readonly total: number }> {
  const where = and(
    eq(l.siteId, siteId),
    engine === undefined ? undefined : eq(l.engine, engine),
    state === undefined ? undefined : eq(l.state, state),
    q === undefined || q === '' ? undefined : ilike(l.address, containing(q)),
  );
  const [rows, [all]] = await Promise.all([
    db.select().from(l).where(where).orderBy(desc(l.id)).limit(limit).offset(offset),
    db.select({ rows: count() }).from(l).where(where),
  ]);
  return { rows, total: all?.rows ?? 0 };
}

export type QueuedAddress = { readonly address: string; readonly kind: PushKind };

/** Puts addresses into the outbox of an engine. One that waits already stays where it is and counts as queued now. */
export async function queueAddresses(db: Db, siteId: string, engine: PushEngine, some: readonly QueuedAddress[], now: Date): Promise<void> {
  if (some.length === 0) return;
  await db.execute(sql`
    insert into seo_push_ledger (site_id, engine, address, host, kind, queued_at, created_at)
    select ${siteId}, ${engine}, address, host, kind, ${now}, ${now}
    from unnest(${sql.param(some.map(({ address }) => address))}::text[], ${sql.param(some.map(({ address }) => new URL(address).host))}::text[],
      ${sql.param(some.map(({ kind }) => kind))}::text[]) as given (address, host, kind)
    on conflict (site_id, engine, address) where state = 'waiting' do update set queued_at = excluded.queued_at, kind = excluded.kind`);
}

/** Leases engines of which addresses wait, which are switched on and neither stopped nor paused. */
export async function takeEngines(db: Db, most: number, leaseId: string, now: Date, leaseUntil: Date): Promise<{ siteId: string; engine: PushEngine }[]> {
  const { rows } = await db.execute<{ siteId: string; engine: PushEngine }>(sql`
    update seo_push_engines set lease_id = ${leaseId}, lease_until = ${leaseUntil}
    where (site_id, engine) in (
      select e.site_id, e.engine from seo_push_engines e
      join seo_push_settings s on s.site_id = e.site_id
      join ${sites} on ${sites.id} = e.site_id and ${sites.state} = 'published' and ${sites.visibility} = 'public'
      where not e.stopped and (e.paused_until is null or e.paused_until <= ${now}) and (e.lease_until is null or e.lease_until <= ${now})
        and case e.engine when 'indexnow' then s.indexnow else s.baidu end
        and exists (select 1 from seo_push_ledger l where l.site_id = e.site_id and l.engine = e.engine and l.state = 'waiting')
      order by e.paused_until nulls first limit ${most} for update of e skip locked)
    returning site_id as "siteId", engine`);
  return rows;
}

/** Addresses for one call: those of one host, the oldest first. */
export const nextAddresses = (db: Db, siteId: string, engine: PushEngine, most: number): Promise<Pick<PushLedgerRow, 'id' | 'address'>[]> =>
  db
    .select({ id: l.id, address: l.address })
    .from(l)
    .where(
      and(
        eq(l.siteId, siteId),
        eq(l.engine, engine),
        eq(l.state, 'waiting'),
        sql`${l.host} = (select host from seo_push_ledger where site_id = ${siteId} and engine = ${engine} and state = 'waiting' order by id limit 1)`,
      ),
    )
    .orderBy(l.id)
    .limit(most);

/** Ends a lease with what came of the call. False if the lease has expired and somebody else has the engine. */
export async function endLease(db: Db, { siteId, engine, leaseId }: { siteId: string; engine: PushEngine; leaseId: string }, change: Partial<PushEngineRow>) {
  const ended = await db
    .update(e)
    .set({ ...change, leaseId: null, leaseUntil: null })
    .where(and(eq(e.siteId, siteId), eq(e.engine, engine), eq(e.leaseId, leaseId)))
    .returning({ siteId: e.siteId });
  return ended.length > 0;
}

/** Records an attempt for addresses that wait since before `leasedAt`; one that was queued again meanwhile waits for another call. */
export const recordAttempt = (
  db: Db,
  ids: readonly number[],
  leasedAt: Date,
  change: Pick<Partial<PushLedgerRow>, 'state' | 'status' | 'reason' | 'sentAt'>,
  counts = true,
) =>
  db
    .update(l)
    .set({ ...change, ...(counts ? { attempts: sql`${l.attempts} + 1` } : {}) })
    .where(and(sql`${l.id} = any(${sql.param([...ids])}::bigint[])`, eq(l.state, 'waiting'), sql`${l.queuedAt} <= ${leasedAt}`));

/** Gives up addresses that were tried too often. */
export const giveUp = (db: Db, ids: readonly number[], most: number, sentAt: Date) =>
  db
    .update(l)
    .set({ state: 'failed', sentAt })
    .where(and(sql`${l.id} = any(${sql.param([...ids])}::bigint[])`, eq(l.state, 'waiting'), gte(l.attempts, most)));

export async function readHashes(db: Db, siteId: string): Promise<Map<string, string>> {
  const rows = await db.select({ address: seoPageHashes.address, hash: seoPageHashes.hash }).from(seoPageHashes).where(eq(seoPageHashes.siteId, siteId));
  return new Map(rows.map(({ address, hash }) => [address, hash]));
}

type ChangedPage = { readonly address: string; readonly hash: string; readonly changedAt: Date };

export async function storeHashes(db: Db, siteId: string, changed: readonly ChangedPage[], removed: readonly string[]): Promise<void> {
  if (changed.length > 0)
    await db.execute(sql`
      insert into seo_page_hashes (site_id, address, hash, changed_at)
      select ${siteId}, a.* from unnest(${sql.param(changed.map(({ address }) => address))}::text[], ${sql.param(changed.map(({ hash }) => hash))}::text[],
        ${sql.param(changed.map(({ changedAt }) => changedAt.toISOString()))}::timestamptz[]) a
      on conflict (site_id, address) do update set hash = excluded.hash, changed_at = excluded.changed_at`);
  if (removed.length > 0)
    await db.delete(seoPageHashes).where(and(eq(seoPageHashes.siteId, siteId), sql`${seoPageHashes.address} = any(${sql.param([...removed])}::text[])`));
}

export const changeScan = (db: Db, siteId: string, change: Partial<Pick<PushSettingsRow, 'scannedAt' | 'scanQueuedAt'>>) =>
  db.update(s).set(change).where(eq(s.siteId, siteId));

/** When the contents of pages changed, by address; pages that were not read yet are absent. */
export async function pageChanges(db: Pick<Db, 'select'>, siteId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (addresses.length === 0) return new Map();
  const rows = await db
    .select({ address: seoPageHashes.address, changedAt: seoPageHashes.changedAt })
    .from(seoPageHashes)
    .where(and(eq(seoPageHashes.siteId, siteId), sql`${seoPageHashes.address} = any(${sql.param([...addresses])}::text[])`));
  return new Map(rows.map(({ address, changedAt }) => [address, changedAt]));
}

/** Sites that are built here and that search engines may index, with what they push. */
export async function indexedSites(db: Db): Promise<{ row: PushSettingsRow; name: string }[]> {
  const rows = await db
    .select({ id: sites.id, name: sites.name, row: s })
    .from(sites)
    .leftJoin(s, eq(sites.id, s.siteId))
    .where(and(eq(sites.purpose, 'built'), eq(sites.state, 'published'), eq(sites.visibility, 'public')));
  return rows.map(({ id, name, row }) => ({ row: row ?? noPush(id), name }));
}

/** Records that the pages of a site are compared now. */
export const queueScan = (db: Db, row: PushSettingsRow, scanQueuedAt: Date) =>
  db
    .insert(s)
    .values({ ...row, scanQueuedAt })
    .onConflictDoUpdate({ target: s.siteId, set: { scanQueuedAt } });

/** Forgets what was sent or given up before a time. */
export const sweepLedger = (db: Db, before: Date) => db.delete(l).where(and(lt(l.createdAt, before), sql`${l.state} <> 'waiting'`));
