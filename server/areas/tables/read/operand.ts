import { columnOf, systemKinds } from '../../../../contract/tableTerms';
import type { ColumnKind, SystemField, ValueKind } from '../../../../contract/tableTerms';
import { columnName, recordsTable } from '../ids';
import type { FieldModel } from '../model';
import { fieldNamed, isTwin, otherLocale } from './scope';
import type { Scope } from './scope';

/** Something of a row that can be compared, sorted and grouped by. */
export type Operand = {
  readonly sql: string;
  readonly kind: ValueKind;
  /** How SQL knows its value; `none`: links, which have no value of their own here. */
  readonly column: ColumnKind;
  /** null: of the system. */
  readonly field: FieldModel | null;
  /** Never null. */
  readonly always: boolean;
  /** An index of fields helps to find and sort by it. */
  readonly indexed: boolean;
};

const columnOfKind: Record<ValueKind, ColumnKind> = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  time: 'time',
  list: 'text[]',
  record: 'uuid',
  records: 'uuid[]',
  object: 'jsonb',
};

export const isSystem = (name: string): name is SystemField => Object.hasOwn(systemKinds, name);

function systemSql(scope: Scope, name: SystemField): string {
  const { row } = scope;
  switch (name) {
    case '$id':
      return `${row}.id`;
    case '$n':
      return `${row}.n`;
    case '$state':
      return stateSql(scope);
    case '$createdAt':
      return `${row}.created_at`;
    case '$createdBy':
      return `${row}.created_by`;
    case '$updatedAt':
      return `${row}.updated_at`;
    case '$updatedBy':
      return `${row}.updated_by`;
    case '$publishedAt':
      return `${row}.published_at`;
    case '$publishAt':
      return isTwin(scope) ? 'NULL::timestamptz' : `${row}.publish_at`;
  }
}

export function stateSql(scope: Scope): string {
  if (isTwin(scope) || !scope.table.drafts) return `'published'::text`;
  const { row } = scope;
  return `CASE WHEN ${row}.published_rev IS NULL THEN 'draft' WHEN ${row}.published_rev = ${row}.rev THEN 'published' ELSE 'changed' END`;
}

const unindexedSystem = new Set<SystemField>(['$n', '$state', '$createdAt', '$createdBy', '$updatedBy', '$publishedAt']);
const alwaysThere = new Set<SystemField>(['$id', '$n', '$state', '$createdAt', '$updatedAt']);

/** What a name stands for at a row; throws `unknown_field` for `where` where there is no such field, or none that the reader may know of. */
export function operandOf(scope: Scope, name: string, where: string): Operand {
  if (!isSystem(name)) return fieldOperand(scope, fieldNamed(scope, name, where));
  const kind = systemKinds[name];
  return {
    sql: systemSql(scope, name),
    kind,
    column: name === '$n' ? 'bigint' : columnOfKind[kind],
    field: null,
    always: alwaysThere.has(name),
    indexed: !unindexedSystem.has(name),
  };
}

export function fieldOperand(scope: Scope, field: FieldModel): Operand {
  const stored = columnOf[field.type];
  const links = field.type === 'relations' || field.type === 'inverse';
  const column = stored !== 'none' ? stored : links ? 'none' : columnOfKind[field.yields];
  return {
    sql: stored !== 'none' ? storedSql(scope, field) : links ? 'NULL' : `(${scope.compilers.computed(scope, field)})`,
    kind: field.yields,
    column,
    field,
    always: false,
    indexed: (field.indexed || field.isUnique || field.type === 'relation' || links) && !(field.localized && otherLocale(scope) !== null),
  };
}

/** The column of a field, in the language asked for where there is such a translation. */
function storedSql(scope: Scope, field: FieldModel): string {
  const column = `${scope.row}.${columnName(field.id)}`;
  const locale = otherLocale(scope);
  if (!field.localized || locale === null) return column;
  const translated = `${scope.row}.tr->${scope.params.bind(locale, 'text')}->>'${columnName(field.id)}'`;
  return `(coalesce(nullif(${translated}, ''), ${column}) ${scope.collation})`;
}

/** That a relation leads to a record in the bin, which counts as no link until that record is restored; null: this is no relation. */
export function binnedSql(scope: Scope, { field, sql }: Pick<Operand, 'field' | 'sql'>): string | null {
  const there = field?.type === 'relation' ? scope.model.byName.get(field.options.to ?? '') : undefined;
  if (!there) return null;
  const row = scope.nextRow();
  return `EXISTS (SELECT 1 FROM ${recordsTable(scope.model.siteId, there.id)} ${row} WHERE ${row}.id = ${sql} AND ${row}.deleted_at IS NOT NULL)`;
}
/** An operand without links to what lies in the bin. No index knows it. */
export function liveOperand(scope: Scope, operand: Operand): Operand {
  const binned = binnedSql(scope, operand);
  return binned === null ? operand : { ...operand, sql: `(CASE WHEN ${binned} THEN NULL ELSE ${operand.sql} END)` };
}
