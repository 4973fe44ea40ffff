import { daysOfRange, filterDate, filterDay, instantsOf, startOfDay, daysLater } from './filterDates';
import type { FilterMoment } from './filterDates';
import type { RecordFilter } from './recordFilter';
import type { ContentRecord } from './records';
import { opsOf, systemKinds } from './filterTerms';
import type { FilterOp, ValueKind } from './filterTerms';

/** The record that a filter is evaluated on, as JSON values (see `columnOf` for their form). */
export type Matched = {
  /** null: there is no such field. */
  readonly kindOf: (field: string) => ValueKind | null;
  readonly valueOf: (field: string) => unknown;
  /** Records that a relation leads to, for `some` and `none`; null if unknown, and then neither holds. */
  readonly related?: (field: string) => readonly Matched[] | null;
};
export type MatchMoment = FilterMoment & { /** The reader, for `$user`; null: not signed in. */ readonly userId: string | null };

type Named = { readonly id: string; readonly key: string; readonly aliases: readonly string[]; readonly yields: ValueKind };

/** System values of a record, by their names in filters. */
export const systemValues = (record: Omit<ContentRecord, 'values'>): Record<string, unknown> => ({
  $id: record.id,
  $n: record.n,
  $state: record.state,
  $createdAt: record.createdAt,
  $createdBy: record.createdBy,
  $updatedAt: record.updatedAt,
  $updatedBy: record.updatedBy,
  $publishedAt: record.publishedAt,
  $publishAt: record.publishAt,
});

/**
 * A record prepared for matching, from its fields and its values by field id; `system`: `$state`, `$createdAt` and others. A key takes precedence over
 * an alias, an id over both.
 */
export function matched(fields: readonly Named[], values: Readonly<Record<string, unknown>>, system: Readonly<Record<string, unknown>> = {}): Matched {
  const names = new Map<string, Named>();
  for (const field of fields) for (const alias of field.aliases) names.set(alias, field);
  for (const field of fields) names.set(field.key, field);
  for (const field of fields) names.set(field.id, field);
  const isSystem = (name: string): name is keyof typeof systemKinds => Object.hasOwn(systemKinds, name);
  return {
    kindOf: (name) => names.get(name)?.yields ?? (isSystem(name) ? systemKinds[name] : null),
    valueOf: (name) => {
      const field = names.get(name);
      return field ? values[field.id] : isSystem(name) ? system[name] : undefined;
    },
  };
}

/** null: an invalid condition (unknown field, operator or value) is neither true nor false, and a filter that depends on it does not match. */
type Verdict = boolean | null;

/**
 * Whether a filter matches a record; equivalent to the filter's SQL. An empty `and` matches everything, an empty `or` nothing. For empty values, `ne`,
 * `nin`, `notContains`, `hasNone` and `none` match; everything else except `empty` does not. `contains`, `starts` and `ends` ignore case; `eq` and `in`
 * do not. Numbers are compared exactly. `eq` and `ne` with null are `empty` and `notEmpty`. Only throws for an unknown zone (RangeError).
 */
export function matchFilter(filter: RecordFilter, record: Matched, at: MatchMoment): boolean {
  return verdictOf(filter, record, at) === true;
}

function verdictOf(filter: RecordFilter, record: Matched, at: MatchMoment): Verdict {
  if ('and' in filter) {
    const parts = filter.and.map((one) => verdictOf(one, record, at));
    return parts.includes(false) ? false : parts.includes(null) ? null : true;
  }
  if ('or' in filter) {
    const parts = filter.or.map((one) => verdictOf(one, record, at));
    return parts.includes(true) ? true : parts.includes(null) ? null : false;
  }
  if ('not' in filter) {
    const part = verdictOf(filter.not, record, at);
    return part === null ? null : !part;
  }
  const kind = record.kindOf(filter.field);
  if (kind === null || !opsOf[kind].includes(filter.op)) return null;
  const value = record.valueOf(filter.field);
  const nothing = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  const { op } = filter;
  const withNothing = filter.value === null || filter.value === undefined || filter.value === '';
  if (op === 'empty' || (op === 'eq' && withNothing)) return nothing;
  if (op === 'notEmpty' || (op === 'ne' && withNothing)) return !nothing;
  if (filter.op === 'some' || filter.op === 'none') return relatedVerdict(filter.field, filter.op, filter.value, record, at);
  const operand: unknown = kind === 'record' || kind === 'records' ? person(filter.value, at) : filter.value;
  if (nothing) {
    // An invalid condition is invalid for every value.
    const possible = verdictOf(filter, { kindOf: () => kind, valueOf: () => sample[kind] }, at);
    return possible === null ? null : holdsForNothing.has(filter.op);
  }
  switch (kind) {
    case 'text':
    case 'record':
      return textVerdict(textOf(value), filter.op, operand);
    case 'number':
      return orderVerdict(decimalOf(value), filter.op, operand, decimalOf, compareDecimals);
    case 'boolean':
      return typeof operand === 'boolean' ? (value === operand) === (filter.op === 'eq') : null;
    case 'time':
      return orderVerdict(timeOf(value), filter.op, operand, timeOf, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
    case 'date':
      return dateVerdict(textOf(value), filter.op, operand, at);
    case 'datetime':
      return instantVerdict(Date.parse(textOf(value) ?? ''), filter.op, operand, at);
    case 'list':
    case 'records':
      return listVerdict(listOf(value), filter.op, operand);
    case 'object':
      return null;
  }
}

const holdsForNothing: ReadonlySet<FilterOp> = new Set(['ne', 'nin', 'notContains', 'hasNone']);
/** A sample value of each kind. */
const sample: Record<ValueKind, unknown> = {
  text: '-',
  number: 0,
  boolean: true,
  date: '2026-01-01',
  datetime: '2026-01-01T00:00:00Z',
  time: '00:00:00',
  list: ['-'],
  record: '-',
  records: ['-'],
  object: {},
};

const person = (value: unknown, at: MatchMoment): unknown => {
  const one = (part: unknown): unknown => (part === '$user' ? (at.userId ?? '') : part);
  return Array.isArray(value) ? value.map(one) : one(value);
};

function relatedVerdict(field: string, op: 'some' | 'none', value: unknown, record: Matched, at: MatchMoment): Verdict {
  const others = record.related?.(field) ?? null;
  if (others === null || typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const found = others.some((other) => matchFilter(value as RecordFilter, other, at));
  return found === (op === 'some');
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null);
const listOf = (value: unknown): string[] | null => {
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  return texts.every((text) => text !== null) ? texts : null;
};

function textVerdict(value: string | null, op: FilterOp, operand: unknown): Verdict {
  if (value === null) return null;
  if (op === 'in' || op === 'nin') {
    const list = listOf(operand);
    return list && list.includes(value) === (op === 'in');
  }
  const text = textOf(operand);
  if (text === null) return null;
  const low = value.toLowerCase();
  const part = text.toLowerCase();
  switch (op) {
    case 'eq':
      return value === text;
    case 'ne':
      return value !== text;
    case 'contains':
      return low.includes(part);
    case 'notContains':
      return !low.includes(part);
    case 'starts':
      return low.startsWith(part);
    case 'ends':
      return low.endsWith(part);
    default:
      return null;
  }
}

function listVerdict(values: readonly string[] | null, op: FilterOp, operand: unknown): Verdict {
  const list = listOf(operand);
  if (!list || !values) return null;
  if (op === 'hasAll') return list.every((one) => values.includes(one));
  const any = list.some((one) => values.includes(one));
  return op === 'hasAny' ? any : op === 'hasNone' ? !any : null;
}

/** An exact decimal number: digits, and how many of them are decimals. */
type Decimal = { readonly digits: bigint; readonly places: number };
function decimalOf(value: unknown): Decimal | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  const whole = parts?.[2] ?? '';
  const rest = parts?.[3] ?? '';
  if (!parts || whole + rest === '' || text.length > 2000) return null;
  const digits = BigInt(`${parts[1] === '-' ? '-' : ''}${whole}${rest}`);
  const places = rest.length - Number(parts[4] ?? 0);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}
function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places);
  const left = a.digits * 10n ** BigInt(places - a.places);
  const right = b.digits * 10n ** BigInt(places - b.places);
  return left < right ? -1 : left > right ? 1 : 0;
}
/** `9:05` and `09:05:00` are the same time. */
function timeOf(value: unknown): string | null {
  const parts = typeof value === 'string' ? /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(value) : null;
  return parts ? `${(parts[1] ?? '').padStart(2, '0')}:${parts[2]}:${parts[3] ?? '00'}` : null;
}

function orderVerdict<T>(value: T | null, op: FilterOp, operand: unknown, read: (value: unknown) => T | null, compare: (a: T, b: T) => number): Verdict {
  if (value === null) return null;
  if (op === 'in' || op === 'nin' || op === 'between') {
    const list = (Array.isArray(operand) ? (operand as unknown[]) : [operand]).map(read).filter((one) => one !== null);
    if (list.length !== (Array.isArray(operand) ? operand.length : 1)) return null;
    if (op !== 'between') return list.some((one) => compare(value, one) === 0) === (op === 'in');
    const [from, to] = list;
    return list.length !== 2 || from === undefined || to === undefined ? null : compare(value, from) >= 0 && compare(value, to) <= 0;
  }
  const other = read(operand);
  return other === null ? null : ordered(compare(value, other), op);
}

/** Result of an operator for "less" (< 0), "equal" (0) and "greater" (> 0). */
function ordered(sign: number, op: FilterOp): Verdict {
  switch (op) {
    case 'eq':
      return sign === 0;
    case 'ne':
      return sign !== 0;
    case 'gt':
      return sign > 0;
    case 'gte':
      return sign >= 0;
    case 'lt':
      return sign < 0;
    case 'lte':
      return sign <= 0;
    default:
      return null;
  }
}

function dateVerdict(value: string | null, op: FilterOp, operand: unknown, at: MatchMoment): Verdict {
  const read = (one: unknown): string | null => {
    const date = filterDate(one, at);
    return date && filterDay(date, at.zone);
  };
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return op === 'within' ? orderVerdict(value, 'between', daysOfRange(operand, at), read, compare) : orderVerdict(value, op, operand, read, compare);
}

function instantVerdict(value: number, op: FilterOp, operand: unknown, at: MatchMoment): Verdict {
  if (Number.isNaN(value)) return null;
  if (op === 'within') {
    const days = daysOfRange(operand, at);
    return days && value >= startOfDay(days[0], at.zone) && value < startOfDay(daysLater(days[1], 1), at.zone);
  }
  const span = (one: unknown): readonly [number, number] | null => {
    const date = filterDate(one, at);
    return date && instantsOf(date, at.zone);
  };
  if (op === 'between') {
    const [from, to] = Array.isArray(operand) && operand.length === 2 ? operand.map(span) : [];
    return from && to ? value >= from[0] && value < to[1] : null;
  }
  const whole = span(operand);
  // Before a day is less, within it equal, after it greater.
  return whole && ordered(value < whole[0] ? -1 : value >= whole[1] ? 1 : 0, op);
}
