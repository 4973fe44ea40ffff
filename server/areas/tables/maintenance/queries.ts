import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { jobs } from '../../../worker/schema';
import type { Db } from '../core/ddl';
import { historyTable, recordsTable, schemaOf } from '../core/ids';
import type { TableModel } from '../core/model';
import { contentBatches, contentConversions } from '../core/schema';
import { tableMaintenance, tableRestores } from './schema';

export type Stored = {
  readonly name: string;
  /** For tables; for indexes, under the index name. */
  readonly rows: number;
  readonly live: number;
  readonly dead: number;
  readonly data: number;
  readonly indexes: number;
  readonly pages: number;
};
/** All tables in a site's schema from PostgreSQL's statistics, with the partial index of live records, whose estimate gives their number. One statement. */
export async function storedOf(db: Db, siteId: string): Promise<ReadonlyMap<string, Stored>> {
  const { rows } = await db.execute<Stored>(sql`
    SELECT c.relname AS name, greatest(c.reltuples, 0)::float8 AS rows, coalesce(pg_stat_get_live_tuples(c.oid), 0)::float8 AS live,
      coalesce(pg_stat_get_dead_tuples(c.oid), 0)::float8 AS dead, c.relpages::float8 AS pages,
      CASE WHEN c.relkind = 'r' THEN pg_table_size(c.oid) ELSE 0 END::float8 AS data, CASE WHEN c.relkind = 'r' THEN pg_indexes_size(c.oid) ELSE 0 END::float8 AS indexes
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname = ${schemaOf(siteId)} AND (c.relkind = 'r' OR (c.relkind = 'i' AND c.relname LIKE 'o\\_%'))`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Each table's share of the history: from the planner's statistics, or counted if the history is small or was never analyzed. */
export async function historyShares(db: Db, siteId: string, history: Stored | undefined): Promise<ReadonlyMap<string, number>> {
  if (!history) return new Map();
  if (history.data > 4 * 2 ** 20) {
    const { rows } = await db.execute<{ id: string; share: number }>(sql`
      SELECT v.id, v.share::float8 AS share FROM pg_catalog.pg_stats p,
        unnest(p.most_common_vals::text::text[], p.most_common_freqs) AS v(id, share)
      WHERE p.schemaname = ${schemaOf(siteId)} AND p.tablename = 'h' AND p.attname = 'table_id'`);
    if (rows.length > 0) return new Map(rows.map((row) => [row.id, row.share]));
    if (history.data > 256 * 2 ** 20) return new Map();
  }
  const { rows } = await db.execute<{ id: string; n: number }>(
    sql.raw(`SELECT table_id AS id, count(*)::float8 AS n FROM ${historyTable(siteId)} GROUP BY table_id`),
  );
  const all = rows.reduce((sum, row) => sum + row.n, 0);
  return new Map(rows.map((row) => [row.id, row.n / Math.max(1, all)]));
}

export type Counted = { readonly id: string; readonly rows: number | null; readonly binned: number | null; readonly last: string | null };
/** When each table was last written (by its index), and the number of records in those that are `small`; one statement. */
export async function countedOf(db: Db, siteId: string, tables: readonly { readonly id: string; readonly small: boolean }[]): Promise<Map<string, Counted>> {
  if (tables.length === 0) return new Map();
  const each = tables.map(({ id, small }) => {
    const name = recordsTable(siteId, id);
    const count = (where: string): string => (small ? `(SELECT count(*) FROM ${name} WHERE deleted_at IS ${where})::float8` : 'NULL::float8');
    return `SELECT '${id}' AS id, ${count('NULL')} AS rows, ${count('NOT NULL')} AS binned,
      to_char((SELECT max(updated_at) FROM ${name}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last`;
  });
  const { rows } = await db.execute<Counted>(sql.raw(each.join(' UNION ALL ')));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Records that batches have created, restored and deleted, by table and day in the zone. */
export const growthOf = async (
  db: Db,
  siteId: string,
  since: Date,
  timeZone: string,
): Promise<{ tableId: string; day: string; created: number; removed: number }[]> => {
  const day = sql<string>`to_char(${contentBatches.at} AT TIME ZONE ${sql.raw(`'${timeZone.replaceAll(/[^\w/+-]/g, '')}'`)}, 'YYYY-MM-DD')`;
  return db
    .select({
      tableId: contentBatches.tableId,
      day,
      created: sql<number>`sum(${contentBatches.created} + ${contentBatches.restored})::int`,
      removed: sql<number>`sum(${contentBatches.removed})::int`,
    })
    .from(contentBatches)
    .where(
      and(
        eq(contentBatches.siteId, siteId),
        gte(contentBatches.at, since),
        sql`${contentBatches.created} + ${contentBatches.restored} + ${contentBatches.removed} > 0`,
      ),
    )
    .groupBy(contentBatches.tableId, day)
    .orderBy(day);
};

export const maintenanceOf = (db: Db, siteId: string) => db.select().from(tableMaintenance).where(eq(tableMaintenance.siteId, siteId));
export const storeMaintenance = (db: Db, row: typeof tableMaintenance.$inferInsert) =>
  db
    .insert(tableMaintenance)
    .values(row)
    .onConflictDoUpdate({ target: [tableMaintenance.tableId, tableMaintenance.kind], set: { at: row.at, result: row.result } });

const open = inArray(jobs.state, ['queued', 'running']);
export const openJobsOf = (db: Db, siteId: string, kinds: readonly (typeof jobs.$inferSelect)['kind'][]) =>
  db
    .select({ id: jobs.id, kind: jobs.kind, input: jobs.input })
    .from(jobs)
    .where(and(eq(jobs.siteId, siteId), inArray(jobs.kind, [...kinds]), open));

export const isConverting = async (db: Db, table: Pick<TableModel, 'id'>): Promise<boolean> =>
  (
    await db
      .select({ id: contentConversions.id })
      .from(contentConversions)
      .where(and(eq(contentConversions.tableId, table.id), eq(contentConversions.state, 'running')))
      .limit(1)
  ).length > 0;

export type RestoreRow = typeof tableRestores.$inferSelect;
export type RestoreWithJob = { readonly row: RestoreRow; readonly job: Pick<typeof jobs.$inferSelect, 'state' | 'error' | 'done' | 'total'> | null };
const restoreParts = { row: tableRestores, job: { state: jobs.state, error: jobs.error, done: jobs.done, total: jobs.total } };
export const restoresOf = (db: Db, siteId: string): Promise<RestoreWithJob[]> =>
  db
    .select(restoreParts)
    .from(tableRestores)
    .leftJoin(jobs, eq(jobs.id, tableRestores.jobId))
    .where(eq(tableRestores.siteId, siteId))
    .orderBy(desc(tableRestores.createdAt))
    .limit(50);
export const findRestore = async (db: Db, siteId: string, id: string): Promise<RestoreWithJob | null> =>
  (
    await db
      .select(restoreParts)
      .from(tableRestores)
      .leftJoin(jobs, eq(jobs.id, tableRestores.jobId))
      .where(and(eq(tableRestores.siteId, siteId), eq(tableRestores.id, id)))
  )[0] ?? null;
export const addRestore = async (db: Db, row: typeof tableRestores.$inferInsert): Promise<RestoreRow> => {
  const [created] = await db.insert(tableRestores).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
};
export const changeRestore = async (db: Db, id: string, change: Partial<typeof tableRestores.$inferInsert>): Promise<void> =>
  void (await db.update(tableRestores).set(change).where(eq(tableRestores.id, id)));
export const deleteRestore = (db: Db, id: string) => db.delete(tableRestores).where(eq(tableRestores.id, id));
export const unfinishedRestores = async (db: Db, siteId: string): Promise<number> =>
  (
    await db
      .select({ n: sql<number>`count(*)::int` })
      .from(tableRestores)
      .where(and(eq(tableRestores.siteId, siteId), sql`${tableRestores.ended} is distinct from 'done'`))
  )[0]?.n ?? 0;
export const allRestores = (db: Db): Promise<RestoreWithJob[]> => db.select(restoreParts).from(tableRestores).leftJoin(jobs, eq(jobs.id, tableRestores.jobId));
