import { createHash } from 'node:crypto';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import { failField } from '../../../../http/failure';
import { grantOf } from '../access';
import type { Grant, Reader } from '../access';
import { publishedTable, recordsTable } from '../ids';
import type { FieldModel, SiteModel, TableModel } from '../model';

/** Values of one statement. SQL text gets only their numbers. */
export type Params = { readonly values: unknown[]; /** Number and type of a value: `$3::uuid[]`. */ readonly bind: (value: unknown, type: string) => string };
export function newParams(): Params {
  const values: unknown[] = [];
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` };
}

/** One row of one table inside a statement: what an expression about it needs to know. */
export type ReadContext = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly reader: Reader;
  /** What the row is called in SQL. */
  readonly row: string;
  /** Records as people edit them, or as they are published. */
  readonly source: 'working' | 'published';
  readonly params: Params;
  /** Language asked for; null: the first of each table. */
  readonly locale: string | null;
  readonly timeZone: string;
  /** Epoch ms. */
  readonly now: number;
  /** `COLLATE …` of texts. */
  readonly collation: string;
  /** Names for rows of subqueries, each used once. */
  readonly nextRow: () => string;
  /** Inside a rule's own filter: who reads is not asked, the rule says what it says. */
  readonly trusted: boolean;
  /** Relations that a computed field has gone through to get here; bounds rules that ask about each other. */
  readonly hops: number;
  readonly compilers: Compilers;
};
/** Parts that need each other, put together in `statement.ts`. */
export type Compilers = {
  /** A rule's filter at a row; nothing passes one that cannot be read any more. */
  readonly rule: (scope: ReadContext, filter: RecordFilter) => string;
  /** A filter that the reader asks. */
  readonly filter: (scope: ReadContext, filter: RecordFilter) => string;
  /** A formula, lookup or rollup at a row. */
  readonly computed: (scope: ReadContext, field: FieldModel) => string;
};

/** The same statement, at a row of another table (or of the same again). */
export const scopeAt = (scope: ReadContext, table: TableModel, row = scope.nextRow()): ReadContext => ({ ...scope, table, row });

const everything: Grant = { allowed: true, covers: () => true, filter: null };
export const readGrant = (scope: ReadContext): Grant => (scope.trusted ? everything : grantOf(scope.table, scope.reader, 'read'));
/** What the reader may know of; broken formulas yield nothing. */
export const isReadable = (scope: ReadContext, field: FieldModel): boolean => readGrant(scope).covers(field);
/** Fields that stand in an answer. */
export const readableFields = (scope: ReadContext): FieldModel[] => scope.table.fields.filter((field) => field.problem === null && isReadable(scope, field));

/** A field by id, key or alias, of those that the reader may know of; throws `unknown_field` for `where` (part of the question). */
export function fieldNamed(scope: ReadContext, name: string, where: string): FieldModel {
  const field = scope.table.byName.get(name);
  if (!field || field.problem !== null || !isReadable(scope, field)) return failField(where, 'unknown_field');
  return field;
}

/** Where a table's rows lie. Tables without drafts have only one state. */
export const isTwin = (scope: Pick<ReadContext, 'source' | 'table'>): boolean => scope.source === 'published' && scope.table.drafts;
export const fromTable = (scope: ReadContext): string =>
  `${isTwin(scope) ? publishedTable(scope.model.siteId, scope.table.id) : recordsTable(scope.model.siteId, scope.table.id)} ${scope.row}`;
/** Not in the bin. */
export const isLive = (scope: ReadContext): string => (isTwin(scope) ? 'TRUE' : `${scope.row}.deleted_at IS NULL`);

/** The language in which this table's values are read, when it is not its first. */
export function otherLocale(scope: ReadContext): string | null {
  const { locale, table } = scope;
  return locale !== null && locale !== table.locales[0] && table.locales.includes(locale) ? locale : null;
}

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
