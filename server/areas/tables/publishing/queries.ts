import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { recordsTable } from '../core/ids';
import { isoSql } from '../core/write/rows';

type Db = Pick<NodePgDatabase, 'execute'>;

const recordsOf = (siteId: string, tableId: string): SQL => sql.raw(recordsTable(siteId, tableId));
const rowsOf = async <T>(db: Db, query: SQL): Promise<T[]> => (await db.execute(query)).rows as T[];

/** Live records that are due to be published or unpublished, longest overdue first. */
export const dueRecords = async (db: Db, siteId: string, tableId: string, now: Date, most: number): Promise<string[]> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const found = await rowsOf<{ id: string }>(
    db,
    sql`SELECT id FROM ${recordsOf(siteId, tableId)}
    WHERE deleted_at IS NULL AND (publish_at <= ${at} OR unpublish_at <= ${at}) ORDER BY least(publish_at, unpublish_at), id LIMIT ${most}`,
  );
  return found.map(({ id }) => id);
};
export type DueRecord = {
  readonly id: string;
  readonly begins: boolean;
  readonly ends: boolean;
  /** ISO 8601, as in the history. */ readonly publishAt: string;
};
/** Those of `ids` that are still due, locked until the end of the transaction. */
export const lockDue = (db: Db, siteId: string, tableId: string, now: Date, ids: readonly string[]): Promise<DueRecord[]> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return rowsOf(
    db,
    sql`SELECT id, coalesce(publish_at <= ${at}, false) AS begins, coalesce(unpublish_at <= ${at}, false) AS ends,
      coalesce(${sql.raw(isoSql('publish_at'))}, '') AS "publishAt" FROM ${recordsOf(siteId, tableId)}
    WHERE id = ANY(${sql.param([...ids])}::uuid[]) AND deleted_at IS NULL AND (publish_at <= ${at} OR unpublish_at <= ${at}) ORDER BY id FOR UPDATE SKIP LOCKED`,
  );
};
/** The next scheduled time; null: none. */
export const nextDue = async (db: Db, siteId: string, tableId: string): Promise<Date | null> => {
  const first = (name: 'publish_at' | 'unpublish_at') =>
    sql`(SELECT min(${sql.raw(name)}) FROM ${recordsOf(siteId, tableId)} WHERE ${sql.raw(name)} IS NOT NULL AND deleted_at IS NULL)`;
  const [found] = await rowsOf<{ at: string | null }>(db, sql`SELECT extract(epoch FROM least(${first('publish_at')}, ${first('unpublish_at')}))::text AS at`);
  return found?.at ? new Date(Number(found.at) * 1000) : null;
};
