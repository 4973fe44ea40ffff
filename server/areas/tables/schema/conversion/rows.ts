import { columnOf } from '../../../../../contract/tables/terms';
import type { ColumnKind } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { columnName, convertedRevs, convertedTranslations, historyTable, linksTable, publishedTable, recordsTable } from '../../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import type { ConversionSpec } from '../../core/schema';
import { readValue } from '../../core/read/values';
import { newReadContext } from '../../core/read/statement';
import { fieldOperand } from '../../core/read/operand';
import { run } from '../../core/write/rows';
import type { Db, Tx } from '../../core/write/types';

export type Part = 'records' | 'published';
/** One record or published state: its current value and, for an undo, its old one. */
export type SourceRow = {
  readonly id: string;
  readonly rev: number;
  readonly value: unknown;
  readonly tr: Translations | null;
  /** For an undo: the old value, and whether the current one was written since. */
  readonly previousValue: unknown;
  readonly previousTr: Translations | null;
  readonly edited: boolean;
  /** Languages whose translation was written since. */
  readonly editedIn: readonly string[];
};
export type Translations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type WrittenRow = { readonly id: string; readonly rev: number; readonly value: unknown; readonly tr: Translations | null };
/** Context of a pass. `undoes`: the conversion that is undone. `here`: whether its kept values also exist in the published table. */
export type Work = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly field: FieldModel;
  readonly spec: ConversionSpec;
  readonly undoes: ConversionSpec | null;
  readonly hasPublishedValues: boolean;
  readonly timeZone: string;
};

export const nameOf = ({ model, table }: Pick<Work, 'model' | 'table'>, part: Part): string =>
  part === 'records' ? recordsTable(model.siteId, table.id) : publishedTable(model.siteId, table.id);
/** Column kind in the records or in the published table. */
const kindOf = (type: FieldModel['type'], part: Part): ColumnKind => (type === 'relations' ? (part === 'records' ? 'none' : 'uuid[]') : columnOf[type]);
const linksSql = (siteId: string, fieldId: string, row: string): string =>
  `(SELECT array_agg(l.b::text ORDER BY l.ord, l.b) FROM ${linksTable(siteId, fieldId)} l WHERE l.a = ${row}.id)`;
/** A stored value in PostgreSQL's text format, with its parser. */
function stored(siteId: string, type: FieldModel['type'], columnId: string, row: string, part: Part): { readonly sql: string; readonly kind: ColumnKind } {
  if (type === 'relations' && part === 'records') return { sql: `${linksSql(siteId, columnId, row)}::text`, kind: 'uuid[]' };
  return { sql: `${row}.${columnName(columnId)}::text`, kind: kindOf(type, part) };
}

type Found = Readonly<Record<'id' | 'value' | 'kept', string | null>> & {
  readonly rev: number;
  readonly tr: Translations | null;
  readonly kepttr: Translations | null;
  readonly edited: boolean | null;
  readonly langs: readonly string[] | null;
};

/** The SQL of a computed field on a row `r0`, with its parameters. */
async function computed(
  ctx: Context,
  work: Work,
  part: Part,
): Promise<{ readonly sql: string; readonly kind: ColumnKind; readonly row: string; readonly values: unknown[] }> {
  const reader = { role: 'admin', userId: null } as const;
  const scope = await newReadContext(
    ctx,
    { model: work.model, table: work.table, reader, timeZone: work.timeZone },
    null,
    part === 'published' ? 'published' : 'working',
  );
  const { sql, column } = fieldOperand(scope, work.field);
  return { sql: `(${sql})::text`, kind: column, row: scope.row, values: [...scope.params.values] };
}

/** Records of a chunk: the next `most` after `after` by id, or those whose converted value is older than the record (`stale`). Includes the bin. */
export async function readRows(ctx: Context, db: Db, work: Work, part: Part, which: { readonly after: string } | 'stale', most: number): Promise<SourceRow[]> {
  const { model, field, spec, undoes } = work;
  const { siteId } = model;
  const isDerived = columnOf[field.type] === 'none' && field.type !== 'relations';
  const own = isDerived ? await computed(ctx, work, part) : { ...stored(siteId, field.type, field.id, 't', part), row: 't', values: [] };
  const t = own.row;
  const values = [...own.values];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const old = undoes && oldSql(work, undoes, part, t, bind);
  const columns = [
    `${t}.id`,
    `${t}.rev`,
    `${own.sql} AS value`,
    spec.translated ? `${t}.tr` : 'NULL::jsonb AS tr',
    old
      ? `${old.value} AS kept, ${old.tr} AS kepttr, ${old.edited} AS edited, ${old.langs} AS langs`
      : 'NULL AS kept, NULL::jsonb AS kepttr, NULL::bool AS edited, NULL::text[] AS langs',
  ];
  const where = which === 'stale' ? `${t}.${convertedRevs(spec.fresh)} IS DISTINCT FROM ${t}.rev` : `${t}.id > ${bind(which.after)}::uuid`;
  const found = await run<Found>(
    db,
    `SELECT ${columns.join(', ')} FROM ${nameOf(work, part)} ${t} ${old?.join ?? ''} WHERE ${where} ORDER BY ${t}.id LIMIT ${most}`,
    values,
  );
  const before = undoes && stored(siteId, undoes.from.type, undoes.kept, t, part).kind;
  return found.map((row) => ({
    id: row.id ?? '',
    rev: row.rev,
    value: readValue(own.kind, row.value),
    tr: row.tr,
    previousValue: before ? readValue(before, row.kept) : null,
    previousTr: row.kepttr,
    edited: row.edited ?? true,
    editedIn: row.langs ?? [],
  }));
}

/** The value that a conversion has kept for a row, and whether the field was written since, according to the history. */
function oldSql(
  { model, table, field, spec, hasPublishedValues }: Work,
  undoes: ConversionSpec,
  part: Part,
  t: string,
  bind: (value: unknown) => string,
): { readonly join: string; readonly value: string; readonly tr: string; readonly edited: string; readonly langs: string } {
  const { siteId } = model;
  const revs = convertedRevs(undoes.fresh);
  const holds = columnOf[undoes.from.type] !== 'none' || undoes.from.type === 'relations';
  const value = (row: string, of: Part): string => (holds ? stored(siteId, undoes.from.type, undoes.kept, row, of).sql : 'NULL::text');
  const trs = (row: string): string => (undoes.translated && spec.translated ? `${row}.${convertedTranslations(undoes.kept)}` : 'NULL::jsonb');
  const id = `${bind(table.id)}::text`;
  const key = bind(field.id);
  /** History entries after the conversion, up to a revision. */
  const lines = (since: string, until: string): string =>
    `${historyTable(siteId)} h WHERE h.table_id = ${id} AND h.record_id = ${t}.id AND h.rev > ${since} AND h.rev <= ${until}`;
  const written = (since: string, until: string): string => `EXISTS (SELECT 1 FROM ${lines(since, until)} AND h.patch ? ${key}::text)`;
  const langs = (since: string, until: string): string =>
    `ARRAY(SELECT DISTINCT split_part(k.key, '@', 2) FROM ${historyTable(siteId)} h CROSS JOIN LATERAL jsonb_object_keys(h.patch) k(key)
       WHERE h.table_id = ${id} AND h.record_id = ${t}.id AND h.rev > ${since} AND h.rev <= ${until} AND starts_with(k.key, ${key}::text || '@'))`;
  if (part === 'records')
    return {
      join: '',
      value: value(t, 'records'),
      tr: trs(t),
      edited: `(${t}.${revs} IS NULL OR (${t}.${revs} <> ${t}.rev AND ${written(`${t}.${revs}`, `${t}.rev`)}))`,
      langs: `CASE WHEN ${t}.${revs} IS DISTINCT FROM ${t}.rev THEN ${langs(`coalesce(${t}.${revs}, 0)`, `${t}.rev`)} END`,
    };
  // A record published again since has no old published state: the record's own applies, if the field was not changed.
  const w = 'w';
  const [revsHere, keptHere, trHere] = hasPublishedValues ? [`${t}.${revs}`, value(t, 'published'), trs(t)] : ['NULL::int', 'NULL::text', 'NULL::jsonb'];
  const keptThere = value(w, 'records');
  return {
    join: `LEFT JOIN ${recordsTable(siteId, table.id)} ${w} ON ${w}.id = ${t}.id`,
    value: `CASE WHEN ${revsHere} IS NOT NULL THEN ${keptHere} ELSE ${keptThere} END`,
    tr: `CASE WHEN ${revsHere} IS NOT NULL THEN ${trHere} ELSE ${trs(w)} END`,
    edited: `(${revsHere} IS NULL AND (${w}.${revs} IS NULL OR ${written(`${w}.${revs}`, `${t}.rev`)}))`,
    langs: `CASE WHEN ${revsHere} IS NULL THEN ${langs(`coalesce(${w}.${revs}, 0)`, `${t}.rev`)} END`,
  };
}

/** Writes new values beside the old ones, for records that are unchanged since they were read. The others are stale and are read again. */
export async function writeRows(tx: Tx, { model, table, spec }: Work, part: Part, rows: readonly WrittenRow[]): Promise<void> {
  if (rows.length === 0) return;
  const kind = kindOf(spec.to.type, part);
  const [fresh, revs] = [columnName(spec.fresh), convertedRevs(spec.fresh)];
  const set = [
    `${revs} = x.rev`,
    ...(kind === 'none' ? [] : [`${fresh} = x.value`]),
    ...(spec.translated ? [`${convertedTranslations(spec.fresh)} = x.tr`] : []),
  ];
  const rowsJson = JSON.stringify(rows.map((row) => ({ ...row, tr: row.tr && Object.keys(row.tr).length > 0 ? row.tr : null })));
  const typed = spec.to.type === 'relations' ? 'uuid[]' : kind === 'none' ? 'text' : kind;
  const done = await run<{ id: string }>(
    tx,
    `UPDATE ${nameOf({ model, table }, part)} t SET ${set.join(', ')} FROM json_to_recordset($1::json) AS x(id uuid, rev int, value ${typed}, tr jsonb)
     WHERE t.id = x.id AND t.rev = x.rev RETURNING t.id`,
    [rowsJson],
  );
  if (spec.to.type !== 'relations' || part !== 'records') return;
  const links = linksTable(model.siteId, spec.fresh);
  const ids = done.map(({ id }) => id);
  await run(tx, `DELETE FROM ${links} WHERE a = ANY($1::uuid[])`, [ids]);
  await run(
    tx,
    `INSERT INTO ${links} (a, b, ord) SELECT x.id, u.b, u.at FROM json_to_recordset($1::json) AS x(id uuid, value uuid[])
     CROSS JOIN LATERAL unnest(x.value) WITH ORDINALITY AS u(b, at) WHERE x.id = ANY($2::uuid[]) ON CONFLICT (a, b) DO NOTHING`,
    [rowsJson, ids],
  );
}

/** Number of records (and published states), for estimates and progress. */
export async function countRows(db: Db, work: Pick<Work, 'model' | 'table'>, part: Part): Promise<number> {
  const [row] = await run<{ count: number }>(db, `SELECT count(*)::int AS count FROM ${nameOf(work, part)}`, []);
  return row?.count ?? 0;
}
