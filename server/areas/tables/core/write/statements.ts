import { columnOf } from '../../../../../contract/tables/terms';
import type { ColumnKind } from '../../../../../contract/tables/terms';
import { statementName } from '../../../../stores/postgres/names';
import { columnName, historyTable, linksTable, numbersOf, publishedTable, recordsTable } from '../ids';
import type { TableModel } from '../model';
import { searchVector } from '../search';
import { isStored, run } from './rows';
import type { Snapshot } from './rows';
import type { Writing } from './apply';
import type { Tx, WriteTx } from './types';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { contentPublicationFailures, contentTables } from '../schema';

type Columns = {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
  /** Whether translations and the search column are written. */ readonly tr: boolean;
  readonly q: boolean;
};
type By = { readonly at: string; readonly actor: string | null };

const names = (columns: Columns['columns']): string[] => columns.map(({ name }) => columnName(name));
const typed = (columns: Columns['columns']): string => columns.map(({ name, kind }) => `, ${columnName(name)} ${kind}`).join('');

/** A new record, with values by field. */
export type NewRow = {
  readonly id: string;
  readonly rev: number;
  readonly tr: object | null;
  readonly q: string | null;
  readonly values: ReadonlyMap<string, unknown>;
};

/**
 * Inserts records with the first entry of their history, which is empty: the initial values are the current ones minus later changes. Records are
 * numbered in order, also in the autonumber columns `counted`. Rows are passed as JSON with short names and typed by PostgreSQL: one parameter, whatever
 * the number of rows and columns. Returns their numbers by id.
 */
export async function insertRows(
  { ctx, tx }: Pick<WriteTx, 'ctx' | 'tx'>,
  { siteId, batchId, origin }: Pick<Writing, 'siteId' | 'batchId' | 'origin'>,
  { id: tableId, revision }: Pick<TableModel, 'id' | 'revision'>,
  rows: readonly NewRow[],
  { columns, counted }: Pick<Columns, 'columns'> & { readonly counted: readonly string[] },
  by: By,
): Promise<Map<string, number>> {
  const writtenColumns = columns.filter(({ name }) => !counted.includes(name));
  const own = names(writtenColumns);
  const numbered = counted.map(columnName);
  const text = `WITH made AS (
       INSERT INTO ${recordsTable(siteId, tableId)} (id, n, ord, rev, created_at, created_by, updated_at, updated_by, tr, q${[...own, ...numbered].map((name) => `, ${name}`).join('')})
       SELECT x.id, x.n, x.n, x.rev, $2::timestamptz, $3::uuid, $2::timestamptz, $3::uuid, x.tr, x.q::tsvector${own.map((_, at) => `, x.c${at}`).join('')}${numbered.map(() => ', x.n').join('')}
       FROM (SELECT nextval($4::regclass) AS n, r.* FROM json_to_recordset($1::json) AS r(id uuid, rev int, tr jsonb, q text${writtenColumns.map(({ kind }, at) => `, c${at} ${kind}`).join('')})) x
       RETURNING id, n, rev
     ), past AS (
       INSERT INTO ${historyTable(siteId)} (table_id, record_id, rev, at, actor, door, batch, kind, patch, inverse)
       SELECT $5::text, made.id, made.rev, $2::timestamptz, $3::uuid, $6::text, $7::uuid, 'create', '{}', '{}' FROM made
     )
     SELECT id, n FROM made`;
  const lines = rows.map(({ id, rev, tr, q, values: all }) => {
    const line: Record<string, unknown> = { id, rev };
    if (tr !== null) line.tr = tr;
    if (q !== null) line.q = q;
    writtenColumns.forEach(({ name }, at) => {
      const value = all.get(name) ?? null;
      if (value !== null) line[`c${at}`] = value;
    });
    return line;
  });
  const values = [JSON.stringify(lines), by.at, by.actor, numbersOf(siteId, tableId), tableId, origin, batchId];
  const createdRows = await run<{ id: string; n: string }>(tx, text, values, statementName(ctx.postgres.pool, text, revision));
  return new Map(createdRows.map(({ id, n }) => [id, Number(n)]));
}

/**
 * Unique indexes are checked row by row, so values that move between records in one write are cleared first. The `field`s belong to the table and are
 * written again right after this.
 */
export async function letGo(
  tx: Tx,
  siteId: string,
  tableId: string,
  releasedValues: readonly { readonly field: string; readonly id: string }[],
): Promise<void> {
  for (const field of new Set(releasedValues.map((one) => one.field))) {
    const ids = releasedValues.filter((one) => one.field === field).map(({ id }) => id);
    await run(tx, `UPDATE ${recordsTable(siteId, tableId)} SET ${columnName(field)} = NULL WHERE id = ANY($1::uuid[])`, [ids]);
  }
}

/** Updates locked records; unchanged values are written as read. `updated_*` only follow changes of values. */
export async function updateRows(tx: Tx, siteId: string, tableId: string, rows: readonly object[], { columns, tr, q }: Columns, by: By): Promise<void> {
  const set = ['rev', 'ord', 'deleted_at', 'published_rev', 'published_at', 'publish_at', 'unpublish_at', ...names(columns), ...(tr ? ['tr'] : [])];
  await run(
    tx,
    `UPDATE ${recordsTable(siteId, tableId)} t SET ${set.map((name) => `${name} = x.${name}`).join(', ')}${q ? ', q = x.q::tsvector' : ''},
       updated_at = CASE WHEN x.edited THEN $2::timestamptz ELSE t.updated_at END, updated_by = CASE WHEN x.edited THEN $3::uuid ELSE t.updated_by END
     FROM json_to_recordset($1::json) AS x(id uuid, ord numeric, rev int, deleted_at timestamptz, published_rev int, published_at timestamptz,
       publish_at timestamptz, unpublish_at timestamptz, edited boolean, tr jsonb, q text${typed(columns)})
     WHERE t.id = x.id`,
    [JSON.stringify(rows), by.at, by.actor],
  );
}

/** Writes complete link lists. `fresh`: of new records, which have none yet. */
export async function writeLinks(
  tx: Tx,
  siteId: string,
  fieldId: string,
  lists: readonly { readonly a: string; readonly list: unknown }[],
  fresh: boolean,
): Promise<void> {
  if (lists.length === 0) return;
  const links = linksTable(siteId, fieldId);
  const listsJson = JSON.stringify(lists);
  const from = 'json_to_recordset($1::json) AS x(a uuid, list uuid[])';
  if (!fresh) await run(tx, `DELETE FROM ${links} l USING ${from} WHERE l.a = x.a AND NOT l.b = ANY(x.list)`, [listsJson]);
  await run(
    tx,
    `INSERT INTO ${links} AS l (a, b, ord) SELECT x.a, u.b, u.at FROM ${from} CROSS JOIN LATERAL unnest(x.list) WITH ORDINALITY AS u(b, at)
     ON CONFLICT (a, b) DO UPDATE SET ord = excluded.ord WHERE l.ord <> excluded.ord`,
    [listsJson],
  );
}

const common = ['id', 'n', 'ord', 'rev', 'tr', 'q', 'created_at', 'created_by', 'updated_at', 'updated_by', 'published_at'];
const twins = (table: TableModel): { readonly stored: string[]; readonly linked: string[] } => ({
  stored: table.fields.filter(isStored).map((field) => columnName(field.id)),
  linked: table.fields.filter((field) => field.type === 'relations').map((field) => columnName(field.id)),
});
const linksOf = (siteId: string, name: string): string => `ARRAY(SELECT l.b FROM ${linksTable(siteId, name)} l WHERE l.a = t.id ORDER BY l.ord, l.b)`;

export const unpublishRows = async (tx: Tx, siteId: string, tableId: string, ids: readonly string[]): Promise<void> =>
  void (await run(tx, `DELETE FROM ${publishedTable(siteId, tableId)} WHERE id = ANY($1::uuid[])`, [ids]));

/** Publishes the current state of records. */
export async function publishRows(tx: Tx, siteId: string, table: TableModel, ids: readonly string[]): Promise<void> {
  const { stored, linked } = twins(table);
  await unpublishRows(tx, siteId, table.id, ids);
  await run(
    tx,
    `INSERT INTO ${publishedTable(siteId, table.id)} (${[...common, ...stored, ...linked].join(', ')})
     SELECT ${[...common, ...stored].map((name) => `t.${name}`).join(', ')}${linked.map((name) => `, ${linksOf(siteId, name)}`).join('')}
     FROM ${recordsTable(siteId, table.id)} t WHERE t.id = ANY($1::uuid[])`,
    [ids],
  );
}

/** Restores earlier published states. */
export async function restorePublished(
  tx: Tx,
  siteId: string,
  table: TableModel,
  published: readonly { readonly id: string; readonly state: Snapshot }[],
): Promise<void> {
  const storedFields = table.fields.filter((field) => isStored(field) || field.type === 'relations');
  const columns = storedFields.map((field) => ({ name: field.id, kind: field.type === 'relations' ? ('uuid[]' as const) : columnOf[field.type] }));
  const searched = table.fields.filter((field) => field.searchable);
  await unpublishRows(
    tx,
    siteId,
    table.id,
    published.map(({ id }) => id),
  );
  const rows = published.map(({ id, state }) => ({
    id,
    rev: state.rev,
    tr: Object.keys(state.tr).length === 0 ? null : state.tr,
    q: searchVector(searched, state.values, state.tr) || null,
    updated_at: state.updatedAt,
    updated_by: state.updatedBy,
    published_at: state.at,
    ...Object.fromEntries(storedFields.map((field) => [field.id, state.values[field.id] ?? (field.type === 'relations' ? [] : null)])),
  }));
  const own = names(columns);
  await run(
    tx,
    `INSERT INTO ${publishedTable(siteId, table.id)} (${[...common, ...own].join(', ')})
     SELECT t.id, t.n, t.ord, x.rev, x.tr, x.q::tsvector, t.created_at, t.created_by, x.updated_at, x.updated_by, x.published_at${own.map((name) => `, x.${name}`).join('')}
     FROM json_to_recordset($1::json) AS x(id uuid, rev int, tr jsonb, q text, updated_at timestamptz, updated_by uuid, published_at timestamptz${typed(columns)})
     JOIN ${recordsTable(siteId, table.id)} t ON t.id = x.id`,
    [JSON.stringify(rows)],
  );
}

/**
 * After other changes to published records: the manual order applies at once, and a record that equals its published state again (an undone edit, a
 * moved record) counts as published, whatever its revision.
 */
export async function settlePublished(tx: Tx, siteId: string, table: TableModel, ids: readonly string[]): Promise<void> {
  const { stored, linked } = twins(table);
  const [records, published] = [recordsTable(siteId, table.id), publishedTable(siteId, table.id)];
  await run(tx, `UPDATE ${published} p SET ord = t.ord FROM ${records} t WHERE t.id = ANY($1::uuid[]) AND p.id = t.id AND p.ord <> t.ord`, [ids]);
  const same = [
    't.tr IS NOT DISTINCT FROM p.tr',
    ...stored.map((name) => `t.${name} IS NOT DISTINCT FROM p.${name}`),
    ...linked.map((name) => `${linksOf(siteId, name)} = coalesce(p.${name}, '{}')`),
  ];
  await run(
    tx,
    `UPDATE ${records} t SET published_rev = t.rev FROM ${published} p
     WHERE t.id = ANY($1::uuid[]) AND p.id = t.id AND t.published_rev <> t.rev AND ${same.join(' AND ')}`,
    [ids],
  );
}

/** Stores when the table's next scheduled publication or unpublication is due. */
export async function keepDue(tx: Tx, siteId: string, tableId: string): Promise<void> {
  // Locked by a separate statement, so that the next one sees schedules committed meanwhile.
  await run(tx, 'SELECT 1 AS locked FROM content_tables WHERE id = $1::text FOR UPDATE', [tableId]);
  await run(
    tx,
    `UPDATE content_tables SET due_at = (SELECT least(min(publish_at), min(unpublish_at)) FROM ${recordsTable(siteId, tableId)} WHERE deleted_at IS NULL)
     WHERE id = $1::text`,
    [tableId],
  );
}

type Db = Pick<NodePgDatabase, 'update'>;
type Deletes = Pick<NodePgDatabase, 'delete'>;

/**
 * Notes on the table when its records are scheduled to be published or unpublished (ISO 8601; null and undefined are ignored), in the transaction that
 * schedules them, including undo. A cancelled time stays noted until it has passed, which costs one query.
 */
export async function noteDue(tx: Db, tableId: string, moments: readonly unknown[]): Promise<void> {
  const [first] = moments.filter((moment): moment is string => typeof moment === 'string').toSorted();
  if (first === undefined) return;
  await tx
    .update(contentTables)
    .set({ dueAt: sql`least(coalesce(${contentTables.dueAt}, 'infinity'), ${first}::timestamptz)` })
    .where(eq(contentTables.id, tableId));
}

/** Deletes publication failures of records that are published, rescheduled or purged. */
export const deleteFailuresOf = (tx: Deletes, tableId: string, recordIds: readonly string[]) =>
  tx
    .delete(contentPublicationFailures)
    .where(and(eq(contentPublicationFailures.tableId, tableId), inArray(contentPublicationFailures.recordId, [...recordIds])));
