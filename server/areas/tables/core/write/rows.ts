import { columnOf } from '../../../../../contract/tables/terms';
import { columnName, linksTable, publishedTable, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import type { Db } from './types';

type Values = Record<string, unknown>;
/** A published state, stored so that it can be restored. */
export type Snapshot = {
  readonly rev: number;
  readonly at: string;
  readonly updatedAt: string;
  readonly updatedBy: string | null;
  readonly values: Readonly<Values>;
  readonly tr: Readonly<Record<string, Readonly<Values>>>;
};
/** A record locked by this transaction, as JSON values; only the requested fields. */
export type Row = {
  readonly id: string;
  n: number;
  ord: string;
  rev: number;
  deletedAt: string | null;
  publishedRev: number | null;
  publishedAt: string | null;
  publishAt: string | null;
  unpublishAt: string | null;
  readonly values: Map<string, unknown>;
  tr: Record<string, Values>;
  published: Snapshot | null;
};

/** Runs one statement; parameters are numbered from 1 and cast in place (`$1::json`). With `name` it is prepared (`statementName`). */
export const run = async <T extends object>(tx: Db, text: string, values: readonly unknown[], name?: string): Promise<T[]> => {
  const question = tx._.session.prepareQuery({ sql: text, params: [...values] }, undefined, name, false);
  return ((await question.execute()) as { rows: T[] }).rows;
};

/** A moment as ISO 8601 in UTC. */
export const isoSql = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const readSql = (field: FieldModel, row: string): string => {
  const column = `${row}.${columnName(field.id)}`;
  const kind = columnOf[field.type];
  if (kind === 'timestamptz') return `${isoSql(column)} AS ${columnName(field.id)}`;
  return kind === 'date' || kind === 'time' || kind === 'numeric' ? `${column}::text AS ${columnName(field.id)}` : column;
};
const jsonOf = (field: FieldModel, raw: unknown): unknown => (columnOf[field.type] === 'bigint' && typeof raw === 'string' ? Number(raw) : (raw ?? null));
export const isStored = (field: FieldModel): boolean => columnOf[field.type] !== 'none';

type Loaded = Values & {
  readonly id: string;
  readonly n: string;
  readonly ord: string;
  readonly rev: number;
  readonly deleted: string | null;
  readonly prev: number | null;
  readonly pat: string | null;
  readonly soon: string | null;
  readonly until: string | null;
  readonly tr?: Record<string, Values> | null;
};

/** Locks records in a consistent order and reads them: system columns, `fields` (links as lists of ids) and, with `published`, their published state. */
export async function lockRows(
  tx: Db,
  siteId: string,
  table: TableModel,
  ids: readonly string[],
  what: { readonly fields: readonly FieldModel[]; readonly tr: boolean; readonly published: boolean; /** false: no lock. */ readonly lock?: boolean },
): Promise<Map<string, Row>> {
  const columns = [
    't.id, t.n, t.ord, t.rev, t.published_rev AS prev',
    `${isoSql('t.deleted_at')} AS deleted, ${isoSql('t.published_at')} AS pat, ${isoSql('t.publish_at')} AS soon, ${isoSql('t.unpublish_at')} AS until`,
    ...(what.tr ? ['t.tr'] : []),
    ...what.fields.filter(isStored).map((field) => readSql(field, 't')),
  ];
  const found = await run<Loaded>(
    tx,
    `SELECT ${columns.join(', ')} FROM ${recordsTable(siteId, table.id)} t WHERE t.id = ANY($1::uuid[]) ORDER BY t.id${what.lock === false ? '' : ' FOR UPDATE OF t'}`,
    [ids],
  );
  const rows = new Map(
    found.map((one): [string, Row] => [
      one.id,
      {
        id: one.id,
        n: Number(one.n),
        ord: one.ord,
        rev: one.rev,
        deletedAt: one.deleted,
        publishedRev: one.prev,
        publishedAt: one.pat,
        publishAt: one.soon,
        unpublishAt: one.until,
        values: new Map(what.fields.filter(isStored).map((field) => [field.id, jsonOf(field, one[field.id])])),
        tr: one.tr ?? {},
        published: null,
      },
    ]),
  );
  const present = [...rows.keys()];
  if (present.length === 0) return rows;
  for (const field of what.fields) if (field.type === 'relations') await readLinks(tx, siteId, field, rows);
  if (what.published && table.drafts) await readPublished(tx, siteId, table, rows);
  return rows;
}

/** Complete link lists, including links to records in the bin, which become visible again when those are restored. */
async function readLinks(tx: Db, siteId: string, field: FieldModel, rows: ReadonlyMap<string, Row>): Promise<void> {
  for (const row of rows.values()) row.values.set(field.id, []);
  const found = await run<{ a: string; list: string[] }>(
    tx,
    `SELECT a, array_agg(b::text ORDER BY ord, b) AS list FROM ${linksTable(siteId, field.id)} WHERE a = ANY($1::uuid[]) GROUP BY a`,
    [[...rows.keys()]],
  );
  for (const { a, list } of found) rows.get(a)?.values.set(field.id, list);
}

async function readPublished(tx: Db, siteId: string, table: TableModel, rows: ReadonlyMap<string, Row>): Promise<void> {
  const fields = table.fields.filter((field) => isStored(field) || field.type === 'relations');
  const found = await run<Values & { id: string; rev: number; at: string; changed: string; by: string | null; tr: Record<string, Values> | null }>(
    tx,
    `SELECT p.id, p.rev, ${isoSql('p.published_at')} AS at, ${isoSql('p.updated_at')} AS changed, p.updated_by AS by, p.tr
     ${fields.map((field) => `, ${readSql(field, 'p')}`).join('')} FROM ${publishedTable(siteId, table.id)} p WHERE p.id = ANY($1::uuid[])`,
    [[...rows.keys()]],
  );
  for (const one of found) {
    const row = rows.get(one.id);
    const values = Object.fromEntries(fields.map((field) => [field.id, jsonOf(field, one[field.id])] as const).filter(([, value]) => value !== null));
    if (row) row.published = { rev: one.rev, at: one.at, updatedAt: one.changed, updatedBy: one.by, values, tr: one.tr ?? {} };
  }
}
