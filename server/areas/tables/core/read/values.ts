import pg from 'pg';
import { usesOf } from '../../../../../contract/tables/fieldTypes';
import type { ContentRecord } from '../../../../../contract/tables/records';
import { isComputed } from '../../../../../contract/tables/terms';
import type { ColumnKind, RecordState } from '../../../../../contract/tables/terms';
import type { FieldModel } from '../model';
import { fieldOperand, stateSql } from './operand';
import { isTwin } from './readContext';
import type { ReadContext } from './readContext';

/** A row in PostgreSQL's text format. */
export type Raw = readonly (string | null)[];
/** One part of a record: an expression with a parser for its text, or a constant for all records of the query. */
type Column = { readonly sql: string; readonly read: (text: string) => unknown } | { readonly always: unknown };
/** `sql`: the selected expressions, the id first; `columns`: where in them each part of a record is found. */
export type Selection = {
  readonly sql: readonly string[];
  readonly columns: readonly { readonly at: number; readonly read: (text: string) => unknown; readonly always: unknown }[];
  readonly fields: readonly FieldModel[];
};

const instantOf = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;
const listOf = pg.types.getTypeParser(1009 as never) as (text: string) => (string | null)[];
/** PostgreSQL's format of an instant in UTC: 2026-03-01 08:30:00.25+00. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;
/** ISO 8601 to the millisecond. Usually reformats the text without parsing it. */
function readInstant(text: string): string {
  const parts = inUtc.exec(text);
  if (!parts) return new Date(instantOf(text)).toISOString();
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
}
const asIs = (text: string): string => text;

const readers: Record<Exclude<ColumnKind, 'none'>, (text: string) => unknown> = {
  text: asIs,
  bigint: Number,
  numeric: asIs,
  boolean: (text) => text === 't' || text === 'true',
  date: asIs,
  time: (text) => text.slice(0, 8),
  timestamptz: readInstant,
  'text[]': listOf,
  'uuid[]': listOf,
  uuid: asIs,
  jsonb: JSON.parse,
};
/** A column value as JSON. */
export const readValue = (column: ColumnKind, text: string | null): unknown => (text === null || column === 'none' ? null : readers[column](text));

function fieldColumn(scope: ReadContext, field: FieldModel): Column {
  const { sql, column } = fieldOperand(scope, field);
  // Password hashes never leave the database.
  if (field.type === 'password') return { sql: `CASE WHEN ${sql} IS NOT NULL THEN TRUE END`, read: () => true };
  if (column === 'none') return { always: null };
  // Computed texts may contain any character, including the separator (`run.ts`); JSON escapes it.
  if (isComputed(field.type) && (column === 'text' || column === 'text[]')) return { sql: `to_json(${sql})`, read: JSON.parse };
  return { sql, read: readers[column] };
}

const systemCount = 13;
/** Columns of whole records; links are loaded separately. */
export function selectionOf(scope: ReadContext, fields: readonly FieldModel[]): Selection {
  const { row } = scope;
  const twin = isTwin(scope);
  const working = (sql: string): Column => (twin ? { always: null } : { sql: `${row}.${sql}`, read: readInstant });
  const isTranslated = scope.table.locales.length > 1;
  const system: Column[] = [
    { sql: `${row}.id`, read: asIs },
    { sql: `${row}.n`, read: Number },
    { sql: `${row}.rev`, read: Number },
    twin || !scope.table.drafts ? { always: 'published' } : { sql: stateSql(scope), read: asIs },
    isTranslated ? { sql: `(SELECT array_agg(l ORDER BY l) FROM jsonb_object_keys(${row}.tr) l)`, read: listOf } : { always: null },
    { sql: `${row}.created_at`, read: readInstant },
    { sql: `${row}.created_by`, read: asIs },
    { sql: `${row}.updated_at`, read: readInstant },
    { sql: `${row}.updated_by`, read: asIs },
    { sql: `${row}.published_at`, read: readInstant },
    working('publish_at'),
    working('unpublish_at'),
    working('deleted_at'),
  ];
  const list: string[] = [];
  const columns = [...system, ...fields.map((field) => fieldColumn(scope, field))].map((column) =>
    'sql' in column ? { at: list.push(column.sql) - 1, read: column.read, always: null } : { at: -1, read: asIs, always: column.always },
  );
  return { sql: list, columns, fields };
}

/** Values of a record by field id; `values` is mutable, so that links can be added. */
export type ReadRecord = Omit<ContentRecord, 'values'> & { readonly values: Record<string, unknown> };

/** `by`: whether values are keyed by field id, so that links can be added, or directly by field key. */
export function recordOf({ columns, fields }: Selection, raw: Raw, by: 'id' | 'key' = 'id'): ReadRecord {
  const at = (index: number): unknown => {
    const column = columns[index];
    if (column === undefined || column.at < 0) return column?.always ?? null;
    const text = raw[column.at] ?? null;
    return text === null ? null : (column.read(text) ?? null);
  };
  const values: Record<string, unknown> = {};
  for (let index = 0; index < fields.length; index += 1) values[fields[index]?.[by] ?? ''] = at(systemCount + index);
  return {
    id: at(0) as string,
    n: at(1) as number,
    revision: at(2) as number,
    state: at(3) as RecordState,
    locales: (at(4) as string[] | null) ?? [],
    createdAt: at(5) as string,
    createdBy: at(6) as string | null,
    updatedAt: at(7) as string,
    updatedBy: at(8) as string | null,
    publishedAt: at(9) as string | null,
    publishAt: at(10) as string | null,
    unpublishAt: at(11) as string | null,
    deletedAt: at(12) as string | null,
    values,
  };
}

/** Links and names are added to values of these types after the records are read; resources are named for files. */
const linking: ReadonlySet<FieldModel['type']> = new Set(['user', 'relation', 'relations', 'inverse']);
/** How to read records that are returned with `names`: directly by key if nothing has to be added. */
export const readBy = (fields: readonly FieldModel[], names: 'key' | 'id' | undefined): 'key' | 'id' =>
  names === 'id' || fields.some(({ type }) => linking.has(type) || usesOf(type) !== null) ? 'id' : 'key';

/** The record with its values keyed as the caller wants. */
export function named(record: ReadRecord, fields: readonly FieldModel[], names: 'key' | 'id'): ContentRecord {
  if (names === 'id') return record;
  const values: Record<string, unknown> = {};
  for (const { key, id } of fields) values[key] = record.values[id];
  return { ...record, values };
}
