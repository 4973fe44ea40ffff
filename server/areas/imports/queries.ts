import { and, asc, desc, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { jobs } from '../../worker/schema';
import { users } from '../account/schema';
import type { Progress } from './progress';
import { trafficImports } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>;
export type ImportRecord = typeof trafficImports.$inferSelect;
export type JobState = Pick<typeof jobs.$inferSelect, 'id' | 'state' | 'error'>;
/** An import with its latest job, if any, and the name of the person who started it. */
export type ImportWithJob = { readonly row: ImportRecord; readonly job: JobState | null; readonly by: string | null };

const job = { id: jobs.id, state: jobs.state, error: jobs.error };

export const importsOf = (db: Db, siteId: string): Promise<ImportWithJob[]> =>
  db
    .select({ row: trafficImports, job, by: users.displayName })
    .from(trafficImports)
    .leftJoin(jobs, eq(jobs.id, trafficImports.jobId))
    .leftJoin(users, eq(users.id, trafficImports.createdBy))
    .where(eq(trafficImports.siteId, siteId))
    .orderBy(desc(trafficImports.createdAt), desc(trafficImports.number));

export const findImport = async (db: Db, siteId: string, id: string): Promise<ImportWithJob | null> =>
  (
    await db
      .select({ row: trafficImports, job, by: users.displayName })
      .from(trafficImports)
      .leftJoin(jobs, eq(jobs.id, trafficImports.jobId))
      .leftJoin(users, eq(users.id, trafficImports.createdBy))
      .where(and(eq(trafficImports.siteId, siteId), eq(trafficImports.id, id)))
  )[0] ?? null;

/** Imports of keywords that reports read, the latest first. */
export const visibleKeywords = (db: Db, siteId: string): Promise<ImportRecord[]> =>
  db
    .select()
    .from(trafficImports)
    .where(
      and(eq(trafficImports.siteId, siteId), eq(trafficImports.format, 'keywords'), eq(trafficImports.removing, false), isNotNull(trafficImports.finishedAt)),
    )
    .orderBy(desc(trafficImports.finishedAt), desc(trafficImports.number));

export async function addImport(db: Db, row: typeof trafficImports.$inferInsert): Promise<ImportRecord> {
  const [created] = await db.insert(trafficImports).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

export const changeImport = (db: Db, id: string, change: Partial<typeof trafficImports.$inferInsert>) =>
  db.update(trafficImports).set(change).where(eq(trafficImports.id, id));

/** Marks an import as finished; false if it already was. */
export const finishImport = async (db: Db, id: string, at: Date): Promise<boolean> =>
  (
    await db
      .update(trafficImports)
      .set({ finishedAt: at })
      .where(and(eq(trafficImports.id, id), isNull(trafficImports.finishedAt)))
      .returning({ id: trafficImports.id })
  ).length > 0;

export const saveProgress = (db: Db, id: string, progress: Progress) => db.update(trafficImports).set({ progress }).where(eq(trafficImports.id, id));

export const deleteImport = (db: Db, id: string) => db.delete(trafficImports).where(eq(trafficImports.id, id));

const isUnstarted = sql`not ${trafficImports.started} and not ${trafficImports.removing} and ${trafficImports.progress} is null`;
/** Imports created before the given time that were never started. */
export const unstarted = (db: Db, before: Date): Promise<{ id: string; createdAt: Date }[]> =>
  db
    .select({ id: trafficImports.id, createdAt: trafficImports.createdAt })
    .from(trafficImports)
    .where(and(isUnstarted, lt(trafficImports.createdAt, before)));
export const deleteUnstarted = (db: Db, id: string) => db.delete(trafficImports).where(and(eq(trafficImports.id, id), isUnstarted));

/** Started imports of a site without a job, oldest first. */
export const waitingImports = (db: Db, siteId: string): Promise<ImportRecord[]> =>
  db
    .select()
    .from(trafficImports)
    .where(and(eq(trafficImports.siteId, siteId), sql`${trafficImports.jobId} is null and (${trafficImports.started} or ${trafficImports.removing})`))
    .orderBy(asc(trafficImports.startedAt), asc(trafficImports.number));

/** Sites with a waiting import. */
export const sitesWithWaiting = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectDistinct({ siteId: trafficImports.siteId })
      .from(trafficImports)
      .where(sql`${trafficImports.jobId} is null and (${trafficImports.started} or ${trafficImports.removing})`)
  ).map((row) => row.siteId);

/** Whether the site has a queued or running import job; `except`: one that is ending. */
export const hasOpenJob = async (db: Db, siteId: string, except?: string): Promise<boolean> =>
  (
    await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          eq(jobs.kind, 'analytics.import'),
          eq(jobs.siteId, siteId),
          sql`${jobs.state} in ('queued', 'running')`,
          except === undefined ? undefined : ne(jobs.id, except),
        ),
      )
      .limit(1)
  ).length > 0;

/** Ids of all imports, for cleaning up the folder. */
export const allIds = async (db: Db): Promise<Set<string>> => new Set((await db.select({ id: trafficImports.id }).from(trafficImports)).map((row) => row.id));

/** Number of hits of an import, without copies. */
export async function countImported(ch: ClickHouse, siteId: string, importNumber: number): Promise<{ hits: number; bots: number }> {
  const [row] = await ch.query<{ hits: string; bots: string }>(
    `SELECT toString(count()) AS hits, toString(countIf(bot_score >= 90)) AS bots FROM hits FINAL WHERE site_id = {siteId:String} AND import_id = {number:UInt32}`,
    { params: { siteId, number: importNumber } },
  );
  return { hits: Number(row?.hits ?? 0), bots: Number(row?.bots ?? 0) };
}

/** Number of keyword rows of an import, without copies. */
export async function countKeywords(ch: ClickHouse, siteId: string, importNumber: number): Promise<number> {
  const [row] = await ch.query<{ n: string }>(
    'SELECT toString(count()) AS n FROM imported_keywords FINAL WHERE site_id = {siteId:String} AND import_id = {number:UInt32}',
    { params: { siteId, number: importNumber } },
  );
  return Number(row?.n ?? 0);
}

/** Page views recorded by the script in a period (epoch ms, both inclusive). */
export async function countScriptViews(ch: ClickHouse, siteId: string, from: number, to: number): Promise<number> {
  const [row] = await ch.query<{ n: string }>(
    `SELECT toString(count()) AS n FROM hits FINAL WHERE site_id = {siteId:String} AND origin IN ('script', 'server') AND kind = 'view'
     AND at BETWEEN fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
    { params: { siteId, from, to } },
  );
  return Number(row?.n ?? 0);
}

/** The earliest start of a visit that reports include, epoch ms; the order of the table makes it one of the first rows read. */
export async function firstMeasured(ch: ClickHouse, siteId: string): Promise<number | null> {
  const [row] = await ch.query<{ at: string }>(
    `SELECT toString(toUnixTimestamp64Milli(start)) AS at FROM visits WHERE site_id = {siteId:String} AND deleted = 0 AND origin != 'audit' ORDER BY start LIMIT 1`,
    { params: { siteId } },
  );
  return row ? Number(row.at) : null;
}

/** Deletes the hits, the daily figures and the keywords of an import. */
export async function eraseImported(ch: ClickHouse, siteId: string, importNumber: number): Promise<void> {
  const params = { siteId, number: importNumber };
  await ch.command('DELETE FROM hits WHERE site_id = {siteId:String} AND import_id = {number:UInt32}', { params });
  await ch.command('DELETE FROM imported_days WHERE site_id = {siteId:String} AND import_id = {number:UInt32}', { params });
  await ch.command('DELETE FROM imported_keywords WHERE site_id = {siteId:String} AND import_id = {number:UInt32}', { params });
}
