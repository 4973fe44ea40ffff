import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { dateRanges, opsOf, systemKinds, tableLimits } from '@contract/tables/terms';
import type { FilterOp, SystemField, ValueKind } from '@contract/tables/terms';

/**
 * A filter being edited: groups and rules with their own ids (React keys), including incomplete ones. Incomplete rules have no effect: they are kept while the
 * builder is open and omitted from the query.
 */
export type Join = 'and' | 'or' | 'not';
export type Rule = { readonly kind: 'rule'; readonly id: string; readonly field: string; readonly op: FilterOp; readonly value: unknown };
export type Group = { readonly kind: 'group'; readonly id: string; readonly join: Join; readonly items: readonly Item[] };
export type Item = Rule | Group;

/** A column that can be filtered: a field of the table or a system column. */
export type FilterColumn = { readonly id: string; readonly kind: ValueKind; readonly field: TableField | null };

let lastId = 0;
const newId = (): string => `i${String((lastId += 1))}`;
export const emptyGroup = (join: Join = 'and', items: readonly Item[] = []): Group => ({ kind: 'group', id: newId(), join, items });

/** `$state` applies only where records are published. */
export function filterColumns(table: ContentTable): readonly FilterColumn[] {
  const system = (Object.keys(systemKinds) as SystemField[]).filter(
    (id) => id !== '$id' && (table.drafts || !['$state', '$publishedAt', '$publishAt'].includes(id)),
  );
  return [
    ...table.fields
      .filter(({ type, problem }) => type !== 'button' && type !== 'password' && problem === null)
      .map((field) => ({ id: field.id, kind: field.yields, field })),
    ...system.map((id) => ({ id, kind: systemKinds[id], field: null })),
  ];
}

/** A filter references a field by id, key or alias. */
export const findFilterColumn = (table: ContentTable, name: string): FilterColumn | undefined =>
  filterColumns(table).find(({ id, field }) => id === name || field?.key === name || field?.aliases.includes(name));

/** Operators of a column; lists derived from people fields have no records to filter. */
export function operators({ id, kind, field }: FilterColumn): readonly FilterOp[] {
  const all = opsOf[kind];
  const leads = field !== null && (field.type === 'relation' || field.type === 'relations' || field.type === 'inverse');
  if (id === '$state') return ['eq', 'ne', 'in', 'nin'];
  if (field?.type === 'select') return ['in', 'nin', 'empty', 'notEmpty'];
  return leads ? all : all.filter((op) => op !== 'some' && op !== 'none');
}

/** The kind of value that an operator takes. */
export type OperandKind = 'nothing' | 'one' | 'two' | 'many' | 'range' | 'filter';
export function operandKind(op: FilterOp): OperandKind {
  if (op === 'empty' || op === 'notEmpty') return 'nothing';
  if (op === 'between') return 'two';
  if (op === 'within') return 'range';
  if (op === 'some' || op === 'none') return 'filter';
  return op === 'in' || op === 'nin' || op.startsWith('has') ? 'many' : 'one';
}

const isRange = (value: unknown): boolean => typeof value === 'string' && (dateRanges as readonly string[]).includes(value);

/** The initial value of a rule, or the existing value where only the operator changes. */
export function operandFor(column: FilterColumn, op: FilterOp, before: unknown): unknown {
  switch (operandKind(op)) {
    case 'nothing':
      return null;
    case 'two':
      return Array.isArray(before) && before.length === 2 ? (before as unknown) : [typeof before === 'string' && !isRange(before) ? before : '', ''];
    case 'range':
      return isRange(before) ? before : 'last7';
    case 'filter':
      return before !== null && typeof before === 'object' && !Array.isArray(before) ? before : null;
    case 'many':
      return Array.isArray(before) ? (before as unknown) : typeof before === 'string' && before !== '' && column.kind !== 'record' ? [before] : [];
    case 'one':
      if (column.kind === 'boolean') return typeof before === 'boolean' ? before : true;
      return (typeof before === 'string' && !isRange(before)) || typeof before === 'number'
        ? before
        : Array.isArray(before)
          ? ((before[0] as unknown) ?? '')
          : '';
  }
}

export function newRule(table: ContentTable, name?: string): Rule | null {
  const list = filterColumns(table);
  const column = list.find(({ id }) => id === (name ?? table.primaryField)) ?? list[0];
  const op = column && operators(column)[0];
  return column && op ? { kind: 'rule', id: newId(), field: column.id, op, value: operandFor(column, op, null) } : null;
}

/** Of `some` and `none`: the nested filter while it is edited, not yet as JSON. */
export const isDraft = (value: unknown): value is Group => typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'group';
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
function complete(rule: Rule): boolean {
  switch (operandKind(rule.op)) {
    case 'nothing':
      return true;
    case 'two':
      return Array.isArray(rule.value) && rule.value.length === 2 && rule.value.every((one) => isText(one) || typeof one === 'number');
    case 'many':
      return Array.isArray(rule.value) && rule.value.length > 0;
    case 'filter':
      return typeof rule.value === 'object' && rule.value !== null;
    default:
      return typeof rule.value === 'boolean' || typeof rule.value === 'number' || isText(rule.value);
  }
}

/** The filter to apply; null: none. */
export function toFilter(item: Item): RecordFilter | null {
  if (item.kind === 'rule') {
    if (!complete(item)) return null;
    const { field, op, value } = item;
    if (operandKind(op) === 'nothing') return { field, op };
    if (operandKind(op) !== 'filter') return { field, op, value };
    const inner = isDraft(value) ? toFilter(value) : value;
    return inner === null ? null : { field, op, value: inner };
  }
  const parts = item.items.flatMap((one) => toFilter(one) ?? []);
  const [first] = parts;
  if (!first) return null;
  if (item.join === 'not') return { not: parts.length === 1 ? first : { or: parts } };
  if (parts.length === 1) return first;
  return item.join === 'or' ? { or: parts } : { and: parts };
}

function toItem(filter: RecordFilter): Item {
  if ('and' in filter) return emptyGroup('and', filter.and.map(toItem));
  if ('or' in filter) return emptyGroup('or', filter.or.map(toItem));
  if ('not' in filter) return emptyGroup('not', 'or' in filter.not ? filter.not.or.map(toItem) : [toItem(filter.not)]);
  return { kind: 'rule', id: newId(), field: filter.field, op: filter.op, value: filter.value ?? null };
}

/** A filter as the builder edits it, always wrapped in a group. */
export function fromFilter(filter: RecordFilter | null): Group {
  if (filter === null) return emptyGroup();
  const item = toItem(filter);
  return item.kind === 'group' ? item : emptyGroup('and', [item]);
}

/** Replaces an item at any depth, or removes it with null. */
export function withReplacedItem(group: Group, id: string, next: Item | null): Group {
  return {
    ...group,
    items: group.items.flatMap((item) => {
      if (item.id === id) return next ?? [];
      return item.kind === 'group' ? [withReplacedItem(item, id, next)] : [item];
    }),
  };
}

export const countRules = (item: Item): number => (item.kind === 'rule' ? 1 : item.items.reduce((sum, one) => sum + countRules(one), 0));
/** Number of conditions in a filter. */
export const countConditions = (filter: RecordFilter | null): number => (filter === null ? 0 : countRules(fromFilter(filter)));

/** Whether a group is allowed at this level (the outermost is 1): a condition in it counts as a level too. */
export const mayNest = (level: number): boolean => level + 2 <= tableLimits.depth;
