/** Terms of filters. Apart from `terms.ts`, because the page of a form evaluates conditions and does without the registry of types. */

/** Value kinds of formulas, lookups and rollups; they also determine the operators of filters. */
export const valueKinds = ['text', 'number', 'boolean', 'date', 'datetime', 'time', 'list', 'record', 'records', 'object'] as const;
export type ValueKind = (typeof valueKinds)[number];
/**
 * Operators of a condition. `within` and date values accept `$now`, `$today`, `$now-7d` (units m h d w M y) and named ranges; `$user` is the reader.
 * `ne`, `nin`, `notContains`, `hasNone` and `none` match empty values too; all others except `empty` do not. A day compared with a moment is the whole
 * day (`lte` includes it): `filterDates.ts`.
 */
export const filterOps = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'nin',
  'contains',
  'notContains',
  'starts',
  'ends',
  'empty',
  'notEmpty',
  'hasAny',
  'hasAll',
  'hasNone',
  'within',
  'some',
  'none',
] as const;
export type FilterOp = (typeof filterOps)[number];
export const opsOf: Record<ValueKind, readonly FilterOp[]> = {
  text: ['contains', 'notContains', 'eq', 'ne', 'in', 'nin', 'starts', 'ends', 'empty', 'notEmpty'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'empty', 'notEmpty'],
  boolean: ['eq', 'ne', 'empty', 'notEmpty'],
  date: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'within', 'empty', 'notEmpty'],
  datetime: ['gt', 'gte', 'lt', 'lte', 'between', 'within', 'empty', 'notEmpty'],
  time: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'empty', 'notEmpty'],
  list: ['hasAny', 'hasAll', 'hasNone', 'empty', 'notEmpty'],
  record: ['eq', 'ne', 'in', 'nin', 'empty', 'notEmpty', 'some', 'none'],
  records: ['hasAny', 'hasAll', 'hasNone', 'empty', 'notEmpty', 'some', 'none'],
  object: ['empty', 'notEmpty'],
};
/** System columns of every record; used like fields in filters, sorts and columns. */
export const systemFields = ['$id', '$n', '$state', '$createdAt', '$createdBy', '$updatedAt', '$updatedBy', '$publishedAt', '$publishAt'] as const;
export type SystemField = (typeof systemFields)[number];
export const systemKinds: Record<SystemField, ValueKind> = {
  $id: 'record',
  $n: 'number',
  $state: 'text',
  $createdAt: 'datetime',
  $createdBy: 'record',
  $updatedAt: 'datetime',
  $updatedBy: 'record',
  $publishedAt: 'datetime',
  $publishAt: 'datetime',
};
