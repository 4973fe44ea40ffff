import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../core/ddl';
import { columnName, publishedTable, recordsTable } from '../../core/ids';
import type { FieldModel, TableModel } from '../../core/model';
import { choiceLexeme } from '../../core/search';

/** Column of a field in the SQL below. */

const column = (field: Pick<FieldModel, 'id'>): SQL => sql.raw(columnName(field.id));
const records = (siteId: string, table: Pick<TableModel, 'id'>): SQL => sql.raw(recordsTable(siteId, table.id));
const has = (field: FieldModel, choice: string): SQL =>
  field.type === 'select' ? sql`${column(field)} = ${choice}` : sql`${column(field)} @> ${sql.param([choice])}::text[]`;

/** Number of live records per choice, by choice id. */
export async function choiceCounts(db: Db, siteId: string, table: TableModel, field: FieldModel): Promise<Map<string, number>> {
  const value = field.type === 'select' ? column(field) : sql`unnest(${column(field)})`;
  const { rows } =
    await db.execute(sql`SELECT choice, count(*)::int AS n FROM (SELECT ${value} AS choice FROM ${records(siteId, table)} WHERE deleted_at IS NULL) AS x
    WHERE choice IS NOT NULL GROUP BY 1`);
  return new Map((rows as { choice: string; n: number }[]).map(({ choice, n }) => [choice, n]));
}

/** Number of records with a choice, including those in the bin. */
export async function holderCount(db: Db, siteId: string, table: TableModel, field: FieldModel, choice: string): Promise<number> {
  const { rows } = await db.execute(sql`SELECT count(*)::int AS n FROM ${records(siteId, table)} WHERE ${has(field, choice)}`);
  return (rows as { n: number }[])[0]?.n ?? 0;
}

/** The next records with a choice, also in the bin, after `after` by id, locked until the transaction ends; with their values. */
export async function holders(
  db: Db,
  siteId: string,
  table: TableModel,
  field: FieldModel,
  choice: string,
  { after, most }: { readonly after: string | null; readonly most: number },
): Promise<{ readonly id: string; readonly value: string | string[]; readonly binned: boolean }[]> {
  const behind = after === null ? sql`` : sql` AND id > ${after}::uuid`;
  const { rows } = await db.execute(
    sql`SELECT id, ${column(field)} AS value, deleted_at IS NOT NULL AS binned FROM ${records(siteId, table)} WHERE ${has(field, choice)}${behind} ORDER BY id LIMIT ${most} FOR UPDATE`,
  );
  return rows as { id: string; value: string | string[]; binned: boolean }[];
}

export const isHeld = async (db: Db, siteId: string, table: TableModel, field: FieldModel, choice: string): Promise<boolean> =>
  (await db.execute(sql`SELECT 1 FROM ${records(siteId, table)} WHERE ${has(field, choice)} LIMIT 1`)).rows.length > 0;

/** `SET` that replaces a choice with `to` (null: nothing). Updates the search column too. */
function setOf(field: FieldModel, choice: string, to: string | null): SQL {
  const own = column(field);
  const others = sql`array_remove(${own}, ${choice}::text)`;
  const replaced = sql`array_replace(${own}, ${choice}::text, ${to}::text)`;
  const list = to === null ? others : sql`CASE WHEN ${own} @> ${sql.param([to])}::text[] THEN ${others} ELSE ${replaced} END`;
  const value = field.type === 'select' ? sql`${to}::text` : sql`nullif(${list}, '{}')`;
  const [old, next] = [choiceLexeme(field.id, choice), to === null ? [] : [choiceLexeme(field.id, to)]];
  const searchUpdate = field.searchable ? sql`, q = ts_delete(q, ${old}::text) || array_to_tsvector(${sql.param(next)}::text[])` : sql``;
  return sql`SET ${own} = ${value}${searchUpdate}`;
}

/** Removes a choice from published states, once the records have lost it. */
export async function scrubPublished(db: Db, siteId: string, table: TableModel, field: FieldModel, choice: string, to: string | null): Promise<void> {
  if (table.drafts) await db.execute(sql`UPDATE ${sql.raw(publishedTable(siteId, table.id))} ${setOf(field, choice, to)} WHERE ${has(field, choice)}`);
}
/** Like `scrubPublished`, and from records in the bin, which no batch covers. */
export async function scrub(db: Db, siteId: string, table: TableModel, field: FieldModel, choice: string): Promise<void> {
  await db.execute(sql`UPDATE ${records(siteId, table)} ${setOf(field, choice, null)} WHERE deleted_at IS NOT NULL AND ${has(field, choice)}`);
  await scrubPublished(db, siteId, table, field, choice, null);
}
