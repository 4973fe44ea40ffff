import { columnOf, systemKinds } from '../../../../../contract/tables/terms';
import type { ColumnKind, SystemField, ValueKind } from '../../../../../contract/tables/terms';
import { columnName } from '../ids';
import type { FieldModel } from '../model';
import { linkedRows } from './links';
import { fieldNamed, isTwin, otherLocale } from './readContext';
import type { ReadContext } from './readContext';

/** An expression on a row that can be compared, sorted and grouped by. */
export type Operand = {
  readonly sql: string;
  readonly kind: ValueKind;
  /** Column kind of its value; `none`: links, which have no value of their own. */
  readonly column: ColumnKind;
  /** null: a system column. */
  readonly field: FieldModel | null;
  /** Never null. */
  readonly always: boolean;
  /** A field index supports filtering and sorting by it. */
  readonly indexed: boolean;
  /** For a relation to one record: its stored column, and the condition that the reader may see the target. */
  readonly link?: { readonly column: string; readonly visible: string };
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

function systemSql(scope: ReadContext, name: SystemField): string {
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

export function stateSql(scope: ReadContext): string {
  if (isTwin(scope) || !scope.table.drafts) return `'published'::text`;
  const { row } = scope;
  return `CASE WHEN ${row}.published_rev IS NULL THEN 'draft' WHEN ${row}.published_rev = ${row}.rev THEN 'published' ELSE 'changed' END`;
}

const unindexedSystem = new Set<SystemField>(['$n', '$state', '$createdAt', '$createdBy', '$updatedBy', '$publishedAt']);
const alwaysThere = new Set<SystemField>(['$id', '$n', '$state', '$createdAt', '$updatedAt']);

/** Resolves a name on a row; throws `unknown_field` for `where` if the field does not exist or is hidden from the reader. */
export function operandOf(scope: ReadContext, name: string, where: string): Operand {
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

export function fieldOperand(scope: ReadContext, field: FieldModel): Operand {
  const stored = columnOf[field.type];
  const links = field.type === 'relations' || field.type === 'inverse';
  const column = stored !== 'none' ? stored : links ? 'none' : columnOfKind[field.yields];
  const link = field.type === 'relation' ? linkOf(scope, field) : undefined;
  return {
    ...(link ? { link } : {}),
    sql: link
      ? `(CASE WHEN ${link.visible} THEN ${link.column} END)`
      : stored !== 'none'
        ? storedSql(scope, field)
        : links
          ? 'NULL'
          : `(${scope.compilers.computed(scope, field)})`,
    kind: field.yields,
    column,
    field,
    always: false,
    indexed: (field.indexed || field.isUnique || field.type === 'relation' || links) && !(field.localized && otherLocale(scope) !== null),
  };
}

/** A linked record that is hidden from the reader or in the bin counts as no link. */
function linkOf(scope: ReadContext, field: FieldModel): Operand['link'] {
  const linked = linkedRows(scope, field);
  return { column: `${scope.row}.${columnName(field.id)}`, visible: linked ? `EXISTS (SELECT 1 FROM ${linked.from} WHERE ${linked.where})` : 'FALSE' };
}

/** The column of a field, in the requested language if it has that translation. */
function storedSql(scope: ReadContext, field: FieldModel): string {
  const column = `${scope.row}.${columnName(field.id)}`;
  const locale = otherLocale(scope);
  if (!field.localized || locale === null) return column;
  const translated = `${scope.row}.tr->${scope.params.bind(locale, 'text')}->>'${columnName(field.id)}'`;
  return `(coalesce(nullif(${translated}, ''), ${column}) ${scope.collation})`;
}
