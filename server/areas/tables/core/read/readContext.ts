import { createHash } from 'node:crypto';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import { failField } from '../../../../http/failure';
import { grantOf } from '../access';
import type { Grant, Reader } from '../access';
import { publishedTable, recordsTable } from '../ids';
import type { FieldModel, SiteModel, TableModel } from '../model';

/** Parameters of one statement. The SQL text contains only their numbers. */
export type Params = {
  readonly values: unknown[];
  /** Returns the number with its type: `$3::uuid[]`. */ readonly bind: (value: unknown, type: string) => string;
};
export function newParams(): Params {
  const values: unknown[] = [];
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` };
}

/** One row of one table inside a statement: the context for expressions on it. */
export type ReadContext = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly reader: Reader;
  /** Alias of the row in SQL. */
  readonly row: string;
  /** Current records, or their published state. */
  readonly source: 'working' | 'published';
  readonly params: Params;
  /** Requested language; null: the first language of each table. */
  readonly locale: string | null;
  readonly timeZone: string;
  /** Epoch ms. */
  readonly now: number;
  /** `COLLATE …` of texts. */
  readonly collation: string;
  /** Generates unique row aliases for subqueries. */
  readonly nextRow: () => string;
  /** Inside a rule's own filter, where the reader's permissions do not apply. */
  readonly trusted: boolean;
  /** Relations that a computed field has followed so far; bounds rules that refer to each other. */
  readonly hops: number;
  readonly compilers: Compilers;
};
/** Mutually dependent compilers, wired up in `statement.ts`. */
export type Compilers = {
  /** Compiles a rule's filter on a row; a filter that is no longer valid matches nothing. */
  readonly rule: (scope: ReadContext, filter: RecordFilter) => string;
  /** Compiles a filter from the reader's query. */
  readonly filter: (scope: ReadContext, filter: RecordFilter) => string;
  /** Compiles a formula, lookup or rollup on a row. */
  readonly computed: (scope: ReadContext, field: FieldModel) => string;
};

/** The same statement on a row of another table, or of the same table again. */
export const readContextAt = (scope: ReadContext, table: TableModel, row = scope.nextRow()): ReadContext => ({ ...scope, table, row });

const everything: Grant = { allowed: true, covers: () => true, filter: null };
export const readGrant = (scope: ReadContext): Grant => (scope.trusted ? everything : grantOf(scope.table, scope.reader, 'read'));
/** Whether the field is visible to the reader and can be read; broken formulas yield nothing. */
export const isReadable = (scope: ReadContext, field: FieldModel): boolean => readGrant(scope).covers(field);
/** Fields that a response may contain. */
export const readableFields = (scope: ReadContext): FieldModel[] => scope.table.fields.filter((field) => field.problem === null && isReadable(scope, field));

/** A visible field by id, key or alias; throws `unknown_field` for `where` (the part of the query). */
export function fieldNamed(scope: ReadContext, name: string, where: string): FieldModel {
  const field = scope.table.byName.get(name);
  if (!field || field.problem !== null || !isReadable(scope, field)) return failField(where, 'unknown_field');
  return field;
}

/** Whether rows come from the table of published states. Tables without drafts have only one state. */
export const isTwin = (scope: Pick<ReadContext, 'source' | 'table'>): boolean => scope.source === 'published' && scope.table.drafts;
export const fromTable = (scope: ReadContext): string =>
  `${isTwin(scope) ? publishedTable(scope.model.siteId, scope.table.id) : recordsTable(scope.model.siteId, scope.table.id)} ${scope.row}`;
/** Not in the bin. */
export const isLive = (scope: ReadContext): string => (isTwin(scope) ? 'TRUE' : `${scope.row}.deleted_at IS NULL`);

/** The language in which this table's values are read, if it is not the table's first. */
export function otherLocale(scope: ReadContext): string | null {
  const { locale, table } = scope;
  return locale !== null && locale !== table.locales[0] && table.locales.includes(locale) ? locale : null;
}

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
