import { canonicalLanguage } from '../../../../../contract/languages';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import { opsOf } from '../../../../../contract/tables/terms';
import type { FilterOp } from '../../../../../contract/tables/terms';
import { Failure, failField } from '../../../../http/failure';
import { serverFieldTypeOf } from '../fieldTypes';
import { columnName } from '../ids';
import type { FieldModel } from '../model';
import { neighbours } from '../search';
import { conditionSql, idList, wrong } from './conditions';
import { linkEnds, linkedRows } from './links';
import { operandOf } from './operand';
import type { Operand } from './operand';
import type { ReadContext } from './readContext';

/** A field that a query uses, with what determines its cost. */
export type Used = { readonly id: string; readonly indexed: boolean };

/**
 * A filter as a SQL condition on the row of `scope`: true, false or null (treated as false). Invalid names, operators and values are refused with
 * `invalid_fields` for `filter`, and so are fields that the reader may not read, because filtering would reveal their values. The fields used are added
 * to `used`.
 */
export function compileFilter(scope: ReadContext, filter: RecordFilter, used?: Used[]): string {
  return compile(scope, filter, used, false);
}

/** Compiles a rule's own filter, without the reader's permissions. A condition that is no longer valid (its field is gone) matches nothing. */
export function compileRule(scope: ReadContext, filter: RecordFilter): string {
  try {
    return compile({ ...scope, trusted: true, locale: null }, filter, undefined, true);
  } catch (error) {
    if (error instanceof Failure) return 'FALSE';
    throw error;
  }
}

/** `sure`: below a `not`, where null must become false. */
function compile(scope: ReadContext, filter: RecordFilter, used: Used[] | undefined, sure: boolean): string {
  if ('and' in filter) return filter.and.length === 0 ? 'TRUE' : `(${filter.and.map((one) => compile(scope, one, used, sure)).join(' AND ')})`;
  if ('or' in filter) return filter.or.length === 0 ? 'FALSE' : `(${filter.or.map((one) => compile(scope, one, used, sure)).join(' OR ')})`;
  if ('not' in filter) return `NOT (${compile(scope, filter.not, used, true)})`;
  const sql = oneSql(scope, filter, used, sure);
  return sure ? `((${sql}) IS TRUE)` : `(${sql})`;
}

type Condition = { readonly field: string; readonly op: FilterOp; readonly value?: unknown };

function oneSql(scope: ReadContext, { field: name, op, value }: Condition, used: Used[] | undefined, sure: boolean): string {
  const operand = operandOf(scope, name, 'filter');
  used?.push({ id: operand.field?.id ?? name, indexed: operand.indexed });
  if (!opsOf[operand.kind].includes(op)) return wrong();
  // Comparing a hash would reveal it prefix by prefix.
  if (operand.field?.type === 'password' && op !== 'empty' && op !== 'notEmpty') return wrong();
  if (op === 'some' || op === 'none') return relatedSql(scope, operand.field, op, value, used);
  const own = typeof value === 'string' && (op === 'empty' || op === 'notEmpty') ? ownText(scope, operand.field, value) : null;
  if (own !== null) return `(${own} IS ${op === 'empty' ? '' : 'NOT '}NULL)`;
  if (operand.column === 'none') return linksSql(scope, operand, op, value);
  const sql = conditionSql({ scope, operand, op, value });
  const pairs = sure ? null : prefilter(scope, operand, op, value);
  return pairs === null ? sql : `${pairs} AND ${sql}`;
}

/** The translation itself, without fallback: tests for presence name the language as the value. */
function ownText(scope: ReadContext, field: FieldModel | null, language: string): string | null {
  const locale = canonicalLanguage(language);
  if (field?.localized !== true || locale === scope.table.locales[0] || !scope.table.locales.includes(locale)) return null;
  return `nullif(${scope.row}.tr->${scope.params.bind(locale, 'text')}->>'${columnName(field.id)}', '')`;
}

/**
 * Text conditions first use the search index with pairs of Chinese characters, then check the texts of the few matches. Not while the index is being
 * rebuilt.
 */
function prefilter(scope: ReadContext, { field }: Operand, op: FilterOp, value: unknown): string | null {
  if (!field?.searchable || serverFieldTypeOf(field.type).indexedAsWritten !== true || typeof value !== 'string' || scope.table.pending?.search !== undefined)
    return null;
  if (op !== 'contains' && op !== 'starts' && op !== 'ends') return null;
  const query = neighbours(value);
  return query === null ? null : `${scope.row}.q @@ ${scope.params.bind(query, 'tsquery')}`;
}

/** `some`, `none`: whether the relation leads to a record that matches the inner filter, among those that the reader may see. */
function relatedSql(scope: ReadContext, field: FieldModel | null, op: 'some' | 'none', value: unknown, used: Used[] | undefined): string {
  const linked = field && linkTo(scope, field);
  if (!linked) return wrong();
  const innerFilter = value ?? { and: [] };
  if (typeof innerFilter !== 'object' || Array.isArray(innerFilter)) return wrong();
  // Already validated by the contract's schema, whatever its source.
  const inner = compile(linked.scope, innerFilter as RecordFilter, used, false);
  return `${op === 'none' ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${linked.from} WHERE ${linked.where} AND ${inner})`;
}

/** Links whose target table the reader may not read cannot be filtered by. */
function linkTo(scope: ReadContext, field: FieldModel): ReturnType<typeof linkedRows> {
  if (!linkEnds(scope, field)) return null;
  return linkedRows(scope, field) ?? failField('filter', 'unknown_field');
}

function linksSql(scope: ReadContext, { field }: Operand, op: FilterOp, value: unknown): string {
  const linked = field && linkTo(scope, field);
  if (!linked) return op === 'empty' ? 'TRUE' : 'FALSE';
  const any = (more: string): string => `EXISTS (SELECT 1 FROM ${linked.from} WHERE ${linked.where}${more})`;
  if (op === 'empty') return `NOT ${any('')}`;
  if (op === 'notEmpty') return any('');
  const ids = [...new Set(idList(scope, value))];
  const among = ` AND ${linked.scope.row}.id = ANY(${scope.params.bind(ids, 'uuid[]')})`;
  switch (op) {
    case 'hasAny':
      return any(among);
    case 'hasNone':
      return `NOT ${any(among)}`;
    case 'hasAll':
      if (ids.length === 0) return any('');
      return `(SELECT count(DISTINCT ${linked.scope.row}.id) FROM ${linked.from} WHERE ${linked.where}${among}) = ${scope.params.bind(ids.length, 'int')}`;
    default:
      return wrong();
  }
}
