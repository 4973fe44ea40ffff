import { sql } from 'drizzle-orm';
import { recordActions } from '../../../../contract/tables/terms';
import type { ContentTable, TableField } from '../../../../contract/tables/schemas';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import type { Db } from '../core/ddl';
import { schemaOf } from '../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { renamedLayout } from './layout';

export const fieldResponse = (field: FieldModel): TableField => ({
  id: field.id,
  key: field.key,
  aliases: field.aliases,
  type: field.type,
  title: field.title,
  help: field.help,
  required: field.required,
  unique: field.isUnique,
  indexed: field.indexed,
  localized: field.localized,
  searchable: field.searchable,
  hidden: field.hidden,
  readonly: field.readonly,
  sensitive: field.sensitive,
  options: field.options,
  rules: field.rules,
  conditions: field.conditions,
  default: field.default,
  yields: field.yields,
  problem: field.problem,
  deletedAt: field.deletedAt?.toISOString() ?? null,
});

/** Approximate number of records per table: PostgreSQL's statistics, or its planner's estimate after a crash. */
async function rowsOf(db: Db, siteId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: string; rows: number }>(sql`
    SELECT c.relname AS id, greatest(pg_stat_get_live_tuples(c.oid), c.reltuples, 0)::float8 AS rows
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname = ${schemaOf(siteId)} AND c.relname IN ${ids}`);
  return new Map(rows.map((row) => [row.id, Math.round(row.rows)]));
}

const toContentTable = (table: TableModel, reader: Reader, approxRows: number): ContentTable => {
  const read = grantOf(table, reader, 'read');
  const fields = table.fields.filter(read.covers);
  return {
    id: table.id,
    key: table.key,
    aliases: table.aliases,
    title: table.title,
    icon: table.icon,
    note: table.note,
    kind: table.kind,
    primaryField: fields.some((field) => field.id === table.primaryField) ? table.primaryField : null,
    drafts: table.drafts,
    locales: table.locales,
    pages: table.pages,
    trashDays: table.trashDays,
    layout: table.layout && renamedLayout(table.layout, (id) => (fields.some((field) => field.id === id) ? id : null)),
    fields: fields.map(fieldResponse),
    revision: table.revision,
    approxRows,
    createdAt: table.createdAt.toISOString(),
    deletedAt: table.deletedAt?.toISOString() ?? null,
    may: recordActions.filter((action) => grantOf(table, reader, action).allowed),
  };
};

/** Tables as this reader may see them: without tables and fields that they may not read. */
export async function tableResponses(db: Db, model: SiteModel, tables: readonly TableModel[], reader: Reader): Promise<ContentTable[]> {
  const readableTables = tables.filter((table) => grantOf(table, reader, 'read').allowed);
  const rows = await rowsOf(
    db,
    model.siteId,
    readableTables.map((table) => table.id),
  );
  return readableTables.map((table) => toContentTable(table, reader, rows.get(table.id) ?? 0));
}
export const tableResponse = async (db: Db, model: SiteModel, table: TableModel, reader: Reader): Promise<ContentTable> =>
  toContentTable(table, reader, (await rowsOf(db, model.siteId, [table.id])).get(table.id) ?? 0);
