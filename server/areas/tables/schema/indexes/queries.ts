import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { jobs } from '../../../../worker/schema';
import type { Db } from '../../core/ddl';
import { contentChanges, contentCosts } from '../../core/schema';

const kind = 'tables.index' as const;
export type OpenJob = { readonly id: string; readonly input: unknown };

export const openJobs = (db: Db, siteId: string): Promise<OpenJob[]> =>
  db
    .select({ id: jobs.id, input: jobs.input })
    .from(jobs)
    .where(and(eq(jobs.kind, kind), eq(jobs.siteId, siteId), inArray(jobs.state, ['queued', 'running'])));

/** Whether another job is changing columns of any of the site's tables. */
export const isConverting = async (db: Db, siteId: string): Promise<boolean> =>
  (
    await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.kind, 'tables.convert'), eq(jobs.siteId, siteId), inArray(jobs.state, ['queued', 'running'])))
      .limit(1)
  ).length > 0;

/** Jobs that ended without success since a moment; their indexes may remain. */
export const endedJobs = (db: Db, since: Date): Promise<{ siteId: string | null; input: unknown }[]> =>
  db
    .select({ siteId: jobs.siteId, input: jobs.input })
    .from(jobs)
    .where(and(eq(jobs.kind, kind), inArray(jobs.state, ['failed', 'cancelled']), gt(jobs.finishedAt, since)));

/** Tables of any site with an invalid field index: schema and name. */
export async function brokenTables(db: Db): Promise<{ siteId: string; tableId: string }[]> {
  const { rows } = await db.execute<{ site: string; rest: string }>(sql`
    SELECT DISTINCT substr(s.nspname, 3) AS site, substr(t.relname, 3) AS rest
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_class t ON t.oid = i.indrelid
    JOIN pg_catalog.pg_namespace s ON s.oid = t.relnamespace
    WHERE NOT i.indisvalid AND s.nspname ~ '^s_[a-z2-7]{12}$' AND t.relname ~ '^[tp]_[a-z2-7]{12}$' AND c.relname ~ '^(i|u|pi)_[a-z2-7]{12}$'`);
  return rows.map((row) => ({ siteId: row.site, tableId: `t_${row.rest}` }));
}

export const costsOf = (db: Db, siteId: string, tableId: string, most: number): Promise<(typeof contentCosts.$inferSelect)[]> =>
  db
    .select()
    .from(contentCosts)
    .where(and(eq(contentCosts.siteId, siteId), eq(contentCosts.tableId, tableId)))
    .orderBy(desc(contentCosts.totalMs))
    .limit(most);

/** When each field of a table was created or its indexes last changed. */
export async function indexedSince(db: Db, tableId: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .select({ fieldId: contentChanges.fieldId, at: sql<string>`max(${contentChanges.at})` })
    .from(contentChanges)
    .where(
      and(
        eq(contentChanges.tableId, tableId),
        sql`(${contentChanges.op} in ('field_added', 'field_restored', 'field_converted') or ${contentChanges.after} ?| array['unique', 'indexed'])`,
      ),
    )
    .groupBy(contentChanges.fieldId);
  return new Map(rows.flatMap(({ fieldId, at }) => (fieldId === null ? [] : [[fieldId, new Date(at)] as const])));
}
