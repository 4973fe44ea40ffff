import { and, asc, desc, eq, gte, inArray, lte, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { visitQueue } from '../analytics/schema';
import { sites } from '../sites/schema';
import { touchAllDays, touchDays } from '../../collect/touched';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { collectCounts, collectorStates, measuringSettings } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type SettingsRow = typeof measuringSettings.$inferSelect;
export type Stored = SettingsRow['settings'];

export const findSettings = async (db: Db, siteId: string): Promise<SettingsRow | null> =>
  (await db.select().from(measuringSettings).where(eq(measuringSettings.siteId, siteId)))[0] ?? null;

export const settingsOf = (db: Db, siteIds: readonly string[]): Promise<SettingsRow[]> =>
  siteIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(measuringSettings)
        .where(inArray(measuringSettings.siteId, [...siteIds]));

/** Writes settings if the stored ones have `revision` (0: none stored yet). Null if they have another revision in the meantime. */
export async function writeSettings(db: Db, siteId: string, revision: number, settings: Stored, now: Date): Promise<SettingsRow | null> {
  if (revision === 0) {
    const [row] = await db.insert(measuringSettings).values({ siteId, settings, updatedAt: now }).onConflictDoNothing().returning();
    return row ?? null;
  }
  const [row] = await db
    .update(measuringSettings)
    .set({ settings, updatedAt: now, revision: revision + 1 })
    .where(and(eq(measuringSettings.siteId, siteId), eq(measuringSettings.revision, revision)))
    .returning();
  return row ?? null;
}

export const findSite = async (db: Db, id: string) => (await db.select().from(sites).where(eq(sites.id, id)))[0] ?? null;

export const setIdentity = (db: Db, siteId: string, identity: typeof sites.$inferSelect.identity) =>
  db
    .update(sites)
    .set({ identity, revision: sql`${sites.revision} + 1` })
    .where(eq(sites.id, siteId));

export const countsOf = (db: Db, siteId: string, from: string, to: string) =>
  db
    .select()
    .from(collectCounts)
    .where(and(eq(collectCounts.siteId, siteId), gte(collectCounts.day, from), lte(collectCounts.day, to)));

export const collectors = (db: Db) => db.select().from(collectorStates).orderBy(desc(collectorStates.seenAt)).limit(50);

/** Receipt of the oldest hits that wait for the process that builds their visits. */
export const oldestQueued = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: visitQueue.createdAt }).from(visitQueue).orderBy(asc(visitQueue.id)).limit(1))[0]?.at ?? null;

/** Sites with limited retention, in days. */
export const limitedSites = (db: Db) =>
  db
    .select({ id: sites.id, timeZone: sites.timeZone, days: sql<number>`(${measuringSettings.settings} ->> 'retentionDays')::int` })
    .from(measuringSettings)
    .innerJoin(sites, eq(sites.id, measuringSettings.siteId))
    .where(sql`${measuringSettings.settings} ->> 'retentionDays' is not null`);

const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;

export type DayCount = { readonly day: string; readonly sent: number; readonly stored: number };

/**
 * By day of a view's first hit (in the site's zone): the number of hits that browsers numbered, and the number stored. Only hits of the script are numbered
 * without gaps.
 */
export async function numberedByDay(ch: ClickHouse, siteId: string, zone: string, start: number, end: number): Promise<DayCount[]> {
  const rows = await ch.query<{ day: string; sent: string; stored: string }>(
    `SELECT toString(toDate(first, {zone:String})) AS day, sum(toUInt64(last_seq) + 1) AS sent, sum(toUInt64(there)) AS stored
    FROM (
      SELECT view_id, min(at) AS first, max(seq) AS last_seq, uniqExact(seq) AS there FROM hits
      WHERE site_id = {site:String} AND origin = 'script' AND at >= ${instant('from')} AND at < ${instant('to')} GROUP BY view_id
    )
    WHERE first >= ${instant('start')} AND first < ${instant('end')} GROUP BY day`,
    // A view may continue after midnight: its hits belong to the day on which it was opened.
    { params: { site: siteId, zone, start, end, from: start - 86_400_000, to: end + 86_400_000 } },
  );
  return rows.map((row) => ({ day: row.day, sent: Number(row.sent), stored: Number(row.stored) }));
}

const shortOf = "substring(lower(leftPad(hex(sipHash64(visitor_id, 'short')), 16, '0')), 1, 8)";
const hexOf = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;

/** All ids (16 hex digits) of the visitors with a short id, including ids that were later linked to them. */
export async function visitorsNamed(ch: ClickHouse, siteId: string, short: string): Promise<string[]> {
  const named = await ch.query<{ id: string }>(
    `SELECT DISTINCT toString(visitor_id) AS id FROM visits WHERE site_id = {site:String} AND deleted = 0 AND ${shortOf} = {short:String}`,
    {
      params: { site: siteId, short },
    },
  );
  if (named.length === 0) return [];
  const params = { site: siteId, ids: named.map(({ id }) => BigInt(id)) };
  const found = await ch.query<{ ids: string[] }>(
    `SELECT arrayMap(one -> ${hexOf('one')}, arrayPushBack(members, visitor_id)) AS ids FROM visitors FINAL
    WHERE site_id = {site:String} AND (visitor_id IN {ids:Array(UInt64)} OR same_as IN {ids:Array(UInt64)})`,
    { params },
  );
  return [...new Set([...named.map(({ id }) => BigInt(id).toString(16).padStart(16, '0')), ...found.flatMap(({ ids }) => ids)])];
}

export type Extent = { readonly visitors: number; readonly visits: number; readonly hits: number; readonly first: number | null; readonly last: number | null };

/** `ids` as decimal numbers; null: all visitors. Range: epoch ms, [start, end), by the time of a hit. */
export async function extentOf(
  ch: ClickHouse,
  siteId: string,
  what: { readonly ids: readonly string[] | null; readonly start: number; readonly end: number },
): Promise<Extent> {
  const who = what.ids === null ? '1' : 'visitor_id IN {ids:Array(UInt64)}';
  const params = { site: siteId, start: what.start, end: what.end, ids: (what.ids ?? []).map(BigInt) };
  const [[hits], [visits]] = await Promise.all([
    ch.query<{ n: string; visitors: string; first: string | null; last: string | null }>(
      `SELECT uniqExact(view_id, seq) AS n, uniqExact(visitor_id) AS visitors, toUnixTimestamp64Milli(minOrNull(at)) AS first, toUnixTimestamp64Milli(maxOrNull(at)) AS last
      FROM hits WHERE site_id = {site:String} AND at >= ${instant('start')} AND at < ${instant('end')} AND ${who}`,
      { params },
    ),
    ch.query<{ n: string }>(
      `SELECT count() AS n FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0 AND start < ${instant('end')} AND last >= ${instant('start')} AND ${who}`,
      { params },
    ),
  ]);
  return {
    visitors: Number(hits?.visitors ?? 0),
    visits: Number(visits?.n ?? 0),
    hits: Number(hits?.n ?? 0),
    first: hits?.first == null ? null : Number(hits.first),
    last: hits?.last == null ? null : Number(hits.last),
  };
}

/** Waits until the mutation has been applied on disk. */
const settings = { mutations_sync: 1 };

/** Web vitals have no visitor, so they are found by page view: before the hits of the views are erased. */
export const eraseVitalsOf = (ch: ClickHouse, siteId: string, ids: readonly string[]): Promise<void> =>
  ch.command(
    `ALTER TABLE web_vitals DELETE WHERE site_id = {site:String}
      AND view_id IN (SELECT view_id FROM hits WHERE site_id = {site:String} AND visitor_id IN {ids:Array(UInt64)})`,
    { params: { site: siteId, ids: ids.map(BigInt) }, settings },
  );

export const eraseHitsOf = (ch: ClickHouse, siteId: string, ids: readonly string[]): Promise<void> =>
  ch.command('ALTER TABLE hits DELETE WHERE site_id = {site:String} AND visitor_id IN {ids:Array(UInt64)}', {
    params: { site: siteId, ids: ids.map(BigInt) },
    settings,
  });

export async function eraseHitsBetween(ch: ClickHouse, siteId: string, start: number, end: number): Promise<void> {
  for (const table of ['web_vitals', 'hits'])
    await ch.command(`ALTER TABLE ${table} DELETE WHERE site_id = {site:String} AND at >= ${instant('start')} AND at < ${instant('end')}`, {
      params: { site: siteId, start, end },
      settings,
    });
}

/** Deletes hits and web vitals from before a given time, visits that began before it, and visitors not seen since. */
export async function eraseBefore(ch: ClickHouse, siteId: string, before: number): Promise<void> {
  const params = { site: siteId, before };
  for (const table of ['web_vitals', 'hits'])
    await ch.command(`ALTER TABLE ${table} DELETE WHERE site_id = {site:String} AND at < ${instant('before')}`, { params, settings });
  await ch.command(`ALTER TABLE visits DELETE WHERE site_id = {site:String} AND start < ${instant('before')}`, { params, settings });
  await ch.command(`ALTER TABLE visitors DELETE WHERE site_id = {site:String} AND last_at < ${instant('before')}`, { params, settings });
  for (const table of ['rollup_rows', 'rollup_totals', 'rollup_visitors', 'rollup_days', 'vital_cells', 'vital_days'])
    await ch.command(`ALTER TABLE ${table} DELETE WHERE site_id = {site:String} AND day < toDate(${instant('before')})`, { params, settings });
  await touchDays(ch, siteId);
}

/** Whether a site has any data from before a given time. */
export async function hasBefore(ch: ClickHouse, siteId: string, before: number): Promise<boolean> {
  const [row] = await ch.query<{ n: string }>(
    `SELECT (SELECT count() FROM hits WHERE site_id = {site:String} AND at < ${instant('before')}) + (SELECT count() FROM visits WHERE site_id = {site:String} AND start < ${instant('before')})
      + (SELECT count() FROM web_vitals WHERE site_id = {site:String} AND at < ${instant('before')}) AS n`,
    { params: { site: siteId, before } },
  );
  return Number(row?.n ?? 0) > 0;
}

/** Months (`202611`) of a table that contain only data beyond the retention of the given sites and can be dropped as a whole. */
export async function expiredMonths(
  ch: ClickHouse,
  table: 'hits' | 'visits' | 'web_vitals',
  limits: readonly { readonly id: string; readonly before: number }[],
): Promise<string[]> {
  const time = table === 'visits' ? 'start' : 'at';
  const rows = await ch.query<{ month: string }>(
    `SELECT toString(toYYYYMM(${time})) AS month FROM ${table} GROUP BY month
    HAVING countIf(${time} >= fromUnixTimestamp64Milli({befores:Array(Int64)}[indexOf({ids:Array(String)}, toString(site_id))], 'UTC') OR NOT has({ids:Array(String)}, toString(site_id))) = 0`,
    { params: { ids: limits.map(({ id }) => id), befores: limits.map(({ before }) => before) } },
  );
  return rows.map((row) => row.month);
}

/** `month` must come from `expiredMonths`. */
export async function dropMonth(ch: ClickHouse, table: 'hits' | 'visits' | 'web_vitals', month: string): Promise<void> {
  if (!/^\d{6}$/.test(month)) throw new Error(`not a month: ${month}`);
  await ch.command(`ALTER TABLE ${table} DROP PARTITION ${month}`);
  if (table !== 'visits') return;
  for (const cells of ['rollup_rows', 'rollup_totals', 'rollup_visitors']) await ch.command(`ALTER TABLE ${cells} DROP PARTITION ${month}`);
  await touchAllDays(ch);
}

export type Moved = { readonly was: number; readonly becomes: number; readonly rule: string; readonly visits: string };
/** Visits that began in [start, end), by the verdicts of two scores and by the deciding rule. score.ts generates the SQL. */
export const movedVisits = (
  ch: ClickHouse,
  siteId: string,
  range: { readonly start: number; readonly end: number },
  sqls: { was: string; becomes: string; rule: string },
) =>
  ch.query<Moved>(
    `SELECT ${sqls.was} AS was, ${sqls.becomes} AS becomes, ${sqls.rule} AS rule, count() AS visits FROM visits FINAL
    WHERE site_id = {site:String} AND deleted = 0 AND origin != 'audit' AND start >= ${instant('start')} AND start < ${instant('end')} GROUP BY was, becomes, rule`,
    { params: { site: siteId, ...range }, settings: { max_execution_time: 60, do_not_merge_across_partitions_select_final: 1 } },
  );
