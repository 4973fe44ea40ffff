import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { columnName, historyTable, linksTable, recordsTable } from '../core/ids';

export type Db = Pick<NodePgDatabase, 'execute'>;

const uuids = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::uuid[]`;
export const recordsOf = (siteId: string, tableId: string): SQL => sql.raw(recordsTable(siteId, tableId));
export const column = (fieldId: string): SQL => sql.raw(columnName(fieldId));
export const linksOf = (siteId: string, fieldId: string): SQL => sql.raw(linksTable(siteId, fieldId));
const rowsOf = async <T>(db: Db, query: SQL): Promise<T[]> => (await db.execute(query)).rows as T[];

/** Live records of a table that link to any of `ids`, locked until the end of the transaction; one more than `most` if there are more. */
export const pointingAt = async (
  db: Db,
  at: { readonly siteId: string; readonly tableId: string; readonly fieldId: string },
  ids: readonly string[],
  most: number,
): Promise<string[]> =>
  (
    await rowsOf<{ id: string }>(
      db,
      sql`SELECT id FROM ${recordsOf(at.siteId, at.tableId)} WHERE ${column(at.fieldId)} = ANY(${uuids(ids)}) AND deleted_at IS NULL ORDER BY id LIMIT ${most + 1} FOR UPDATE`,
    )
  ).map(({ id }) => id);

/** Filters live records to those with an empty text field. */
export const withoutValue = async (db: Db, siteId: string, tableId: string, fieldId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await rowsOf<{ id: string }>(
      db,
      sql`SELECT id FROM ${recordsOf(siteId, tableId)} WHERE id = ANY(${uuids(ids)}) AND deleted_at IS NULL AND coalesce(${column(fieldId)}, '') = ''`,
    )
  ).map(({ id }) => id);

/** Those of `ids` (null: the oldest, at most `most`, deleted before `before`) that are in the bin, locked until the end of the transaction. */
export const lockBinned = async (
  db: Db,
  siteId: string,
  tableId: string,
  which: { readonly ids: readonly string[]; readonly allowed: SQL | null } | { readonly before: Date; readonly most: number },
): Promise<string[]> => {
  const from = sql`SELECT t.id FROM ${recordsOf(siteId, tableId)} t WHERE t.deleted_at IS NOT NULL`;
  const query =
    'ids' in which
      ? sql`${from} AND t.id = ANY(${uuids(which.ids)}) AND ${which.allowed ?? sql`true`} FOR UPDATE`
      : sql`${from} AND t.deleted_at < ${which.before.toISOString()}::timestamptz ORDER BY t.deleted_at LIMIT ${which.most} FOR UPDATE SKIP LOCKED`;
  return (await rowsOf<{ id: string }>(db, query)).map(({ id }) => id);
};
/** Pairs of a link list: of records here (`a`), or with records there (`b`). */
export const deleteLinks = (db: Db, siteId: string, fieldId: string, side: 'a' | 'b', ids: readonly string[]) =>
  db.execute(sql`DELETE FROM ${linksOf(siteId, fieldId)} WHERE ${sql.raw(side)} = ANY(${uuids(ids)})`);
/** Without a history entry, because the target no longer exists. */
export const emptyRelation = (db: Db, siteId: string, tableId: string, fieldId: string, ids: readonly string[]) =>
  db.execute(sql`UPDATE ${recordsOf(siteId, tableId)} SET ${column(fieldId)} = NULL WHERE ${column(fieldId)} = ANY(${uuids(ids)})`);
export const deleteRecords = (db: Db, siteId: string, tableId: string, ids: readonly string[]) =>
  db.execute(sql`DELETE FROM ${recordsOf(siteId, tableId)} WHERE id = ANY(${uuids(ids)})`);
export const deleteHistory = (db: Db, siteId: string, tableId: string, ids: readonly string[]) =>
  db.execute(sql`DELETE FROM ${sql.raw(historyTable(siteId))} WHERE table_id = ${tableId} AND record_id = ANY(${uuids(ids)})`);
export const deleteHistoryOfBatches = (db: Db, siteId: string, batches: readonly string[]) =>
  db.execute(sql`DELETE FROM ${sql.raw(historyTable(siteId))} WHERE batch = ANY(${uuids(batches)})`);

/** Serializes moves, which would otherwise choose the same position. Held until the end of the transaction. */
export const lockOrder = (db: Db, tableId: string) => db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`order ${tableId}`}, 0))`);
export type Placed = { readonly id: string; readonly ord: string };
/** The live record itself or, if it is one of `moving`, the first one behind it that is not; null: none. */
export const firstFrom = async (db: Db, siteId: string, tableId: string, id: string, moving: readonly string[]): Promise<Placed | null> =>
  (
    await rowsOf<Placed>(
      db,
      sql`SELECT t.id, t.ord::text AS ord FROM ${recordsOf(siteId, tableId)} t JOIN ${recordsOf(siteId, tableId)} b ON b.id = ${id}::uuid AND (t.ord, t.id) >= (b.ord, b.id)
      WHERE t.deleted_at IS NULL AND NOT t.id = ANY(${uuids(moving)}) ORDER BY t.ord, t.id LIMIT 1`,
    )
  )[0] ?? null;
/** Records that share a position (including the bin, where positions are kept), from `id` on; and whether others before it share it. */
export const sharing = async (db: Db, siteId: string, tableId: string, at: Placed, moving: readonly string[]): Promise<{ before: boolean; from: string[] }> => {
  const found = await rowsOf<{ id: string; earlier: boolean }>(
    db,
    sql`SELECT id, id < ${at.id}::uuid AS earlier FROM ${recordsOf(siteId, tableId)} WHERE ord = ${at.ord}::numeric AND NOT id = ANY(${uuids(moving)}) ORDER BY id`,
  );
  return { before: found.some(({ earlier }) => earlier), from: found.filter(({ earlier }) => !earlier).map(({ id }) => id) };
};
/** The nearest position below or above one (null: the last of all), among records that are not moved. */
export const neighbour = async (
  db: Db,
  siteId: string,
  tableId: string,
  side: 'below' | 'above',
  ord: string | null,
  moving: readonly string[],
): Promise<string | null> => {
  const edge = ord === null ? sql`true` : side === 'below' ? sql`ord < ${ord}::numeric` : sql`ord > ${ord}::numeric`;
  const order = side === 'below' ? sql`DESC` : sql`ASC`;
  const found = await rowsOf<{ ord: string }>(
    db,
    sql`SELECT ord::text AS ord FROM ${recordsOf(siteId, tableId)} WHERE ${edge} AND NOT id = ANY(${uuids(moving)}) ORDER BY ord ${order} LIMIT 1`,
  );
  return found[0]?.ord ?? null;
};
