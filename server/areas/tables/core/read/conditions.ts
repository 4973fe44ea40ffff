import { daysLater, daysOfRange, filterDate, filterDay, instantsOf, startOfDay } from '../../../../../contract/tables/filterDates';
import type { FilterOp } from '../../../../../contract/tables/terms';
import { failField } from '../../../../http/failure';
import type { Operand } from './operand';
import type { ReadContext } from './readContext';
import { isUuid } from '../../../../../contract/uuid';
import { escapeLike } from '../../../../stores/postgres/like';

/** One operator on one operand that has a value. `wrong` refuses unsupported combinations. The SQL may be null where the value is null. */
export type Question = { readonly scope: ReadContext; readonly operand: Operand; readonly op: FilterOp; readonly value: unknown };

export const wrong = (): never => failField('filter', 'wrong_type');

/** Matches empty: no value, an empty text or an empty list. Same definition as `matchFilter` in the contract. */
export function isEmpty({ sql, column }: Pick<Operand, 'sql' | 'column'>): string {
  if (column === 'text') return `(${sql} IS NULL OR ${sql} = '')`;
  if (column === 'text[]' || column === 'uuid[]') return `(${sql} IS NULL OR cardinality(${sql}) = 0)`;
  if (column === 'jsonb') return `(${sql} IS NULL OR ${sql} IN ('null', '[]', '""'))`;
  return `${sql} IS NULL`;
}

export function conditionSql(question: Question): string {
  const { operand, op, value } = question;
  if (op === 'empty' || (op === 'eq' && isNothing(value))) return isEmpty(operand);
  if (op === 'notEmpty' || (op === 'ne' && isNothing(value))) return `NOT ${isEmpty(operand)}`;
  switch (operand.kind) {
    case 'text':
      return textSql(question);
    case 'number':
      return numberSql(question);
    case 'boolean':
      return typeof value === 'boolean' ? comparison(question, String(value)) : wrong();
    case 'date':
      return dateSql(question);
    case 'datetime':
      return instantSql(question);
    case 'time':
      return timeSql(question);
    case 'record':
      return recordSql(question);
    case 'list':
      return listSql(question, textList(value), 'text[]');
    case 'records':
      return listSql(question, idList(question.scope, value), 'uuid[]');
    case 'object':
      return wrong();
  }
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';
const signs: Partial<Record<FilterOp, string>> = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** A comparison with one value; `ne` also matches empty values. */
function comparison({ operand, op }: Pick<Question, 'operand' | 'op'>, bound: string, sql = operand.sql): string {
  const sign = signs[op] ?? wrong();
  return op === 'ne' && !operand.always ? `(${sql} <> ${bound} OR ${sql} IS NULL)` : `${sql} ${sign} ${bound}`;
}
function pair(value: unknown): readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : wrong();
}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : wrong());
const textList = (value: unknown): string[] => list(value).map(textOf);

/** `in` and `nin`; null in the list matches empty values. */
function membership({ operand, op }: Question, values: readonly unknown[], bind: (some: readonly unknown[]) => string): string {
  const some = values.filter((one) => !isNothing(one));
  const withNothing = some.length < values.length;
  if (op === 'nin' && !withNothing) return some.length > 0 ? `(${operand.sql} <> ALL(${bind(some)}) OR ${operand.sql} IS NULL)` : 'TRUE';
  const among = some.length > 0 ? `${operand.sql} = ANY(${bind(some)})` : 'FALSE';
  if (op === 'in') return withNothing ? `(${among} OR ${isEmpty(operand)})` : among;
  return `NOT (${among} OR ${isEmpty(operand)})`;
}

/** A LIKE or ILIKE condition: ignoring case costs time and is unnecessary for most Chinese search terms. */
export function likeSql(scope: ReadContext, sql: string, pattern: (needle: string) => string, needle: string): string {
  const cased = needle.toLowerCase() !== needle.toUpperCase();
  return `${sql} ${cased ? 'ILIKE' : 'LIKE'} ${scope.params.bind(pattern(escapeLike(needle)), 'text')}`;
}
const patterns: Partial<Record<FilterOp, (needle: string) => string>> = {
  contains: (needle) => `%${needle}%`,
  notContains: (needle) => `%${needle}%`,
  starts: (needle) => `${needle}%`,
  ends: (needle) => `%${needle}`,
};

function textSql(question: Question): string {
  const { scope, operand, op, value } = question;
  if (op === 'in' || op === 'nin') return membership(question, list(value), (some) => scope.params.bind(some.map(textOf), 'text[]'));
  const pattern = patterns[op];
  const text = textOf(value);
  if (!pattern) return comparison(question, scope.params.bind(text, 'text'));
  if (text === '') return op === 'notContains' ? isEmpty(operand) : `NOT ${isEmpty(operand)}`;
  if (op === 'notContains') return `(NOT ${likeSql(scope, operand.sql, pattern, text)} OR ${operand.sql} IS NULL)`;
  return likeSql(scope, operand.sql, pattern, text);
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
function numberText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return decimal.test(text) && text.length <= 2000 ? text : wrong();
}
/** Whole numbers that fit a bigint are compared as bigint, because an index cannot serve another type. */
const isWhole = (text: string): boolean => /^[+-]?\d{1,18}$/.test(text);
function numberSql(question: Question): string {
  const { scope, operand, op, value } = question;
  const operands = op === 'between' ? [...pair(value)] : list(value);
  const texts = operands.filter((one) => !isNothing(one)).map(numberText);
  const whole = operand.column === 'bigint' && texts.every(isWhole);
  const type = whole ? 'bigint' : 'numeric';
  const sql = operand.column === 'bigint' && !whole ? `${operand.sql}::numeric` : operand.sql;
  const own = { ...question, operand: { ...operand, sql } };
  if (op === 'in' || op === 'nin') return membership(own, operands, (some) => scope.params.bind(some.map(numberText), `${type}[]`));
  if (op === 'between') {
    if (texts.length !== 2) return wrong();
    return `${sql} BETWEEN ${scope.params.bind(texts[0], type)} AND ${scope.params.bind(texts[1], type)}`;
  }
  return comparison(own, scope.params.bind(numberText(value), type));
}

function timeText(value: unknown): string {
  const parts = typeof value === 'string' ? /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(value) : null;
  return parts ? parts[0] : wrong();
}
function timeSql(question: Question): string {
  const { scope, operand, op, value } = question;
  if (op !== 'between') return comparison(question, scope.params.bind(timeText(value), 'time'));
  const [from, to] = pair(value);
  return `${operand.sql} BETWEEN ${scope.params.bind(timeText(from), 'time')} AND ${scope.params.bind(timeText(to), 'time')}`;
}

const momentOf = (scope: ReadContext) => ({ now: scope.now, zone: scope.timeZone });
function dateSql(question: Question): string {
  const { scope, operand, op, value } = question;
  const day = (one: unknown): string => {
    const date = filterDate(one, momentOf(scope));
    return date ? scope.params.bind(filterDay(date, scope.timeZone), 'date') : wrong();
  };
  if (op !== 'between' && op !== 'within') return comparison(question, day(value));
  const [from, to] = op === 'between' ? pair(value) : (daysOfRange(value, momentOf(scope)) ?? wrong());
  return `${operand.sql} BETWEEN ${day(from)} AND ${day(to)}`;
}

const latest = Date.UTC(10_000, 0, 1);
const earliest = -62_135_596_800_000;
/** PostgreSQL parses four-digit years; instants that a time zone moves beyond that range are later or earlier than any record. */
const instantText = (ms: number): string => (ms >= latest ? 'infinity' : ms < earliest ? '-infinity' : new Date(ms).toISOString());
function instantSql(question: Question): string {
  const { scope, operand, op, value } = question;
  const { sql } = operand;
  const bind = (ms: number): string => scope.params.bind(instantText(ms), 'timestamptz');
  const span = (one: unknown): readonly [number, number] => {
    const date = filterDate(one, momentOf(scope));
    return date ? instantsOf(date, scope.timeZone) : wrong();
  };
  if (op === 'within') {
    const [first, last] = daysOfRange(value, momentOf(scope)) ?? wrong();
    return `(${sql} >= ${bind(startOfDay(first, scope.timeZone))} AND ${sql} < ${bind(startOfDay(daysLater(last, 1), scope.timeZone))})`;
  }
  if (op === 'between') {
    const [from, to] = pair(value);
    return `(${sql} >= ${bind(span(from)[0])} AND ${sql} < ${bind(span(to)[1])})`;
  }
  const [from, until] = span(value);
  switch (op) {
    case 'gt':
      return `${sql} >= ${bind(until)}`;
    case 'gte':
      return `${sql} >= ${bind(from)}`;
    case 'lt':
      return `${sql} < ${bind(from)}`;
    case 'lte':
      return `${sql} < ${bind(until)}`;
    default:
      return wrong();
  }
}

/** Ids of records or people; `$user` is the reader, and matches nobody when not signed in. */
export function idList(scope: ReadContext, value: unknown): string[] {
  return list(value).flatMap((one) => {
    if (one === '$user') return scope.reader.userId === null ? [] : [scope.reader.userId];
    return isUuid(one) ? [one] : wrong();
  });
}
/** A relation is compared in its stored form, so that an index applies; if the reader may not see the target, it counts as empty. */
function recordSql(question: Question): string {
  const { operand, op, value } = question;
  const { link } = operand;
  if (!link) return plainRecordSql(question);
  const stored = (positive: FilterOp, target: unknown): string =>
    `(${plainRecordSql({ ...question, operand: { ...operand, sql: link.column }, op: positive, value: target })} AND ${link.visible})`;
  if (op === 'eq') return stored('eq', value);
  if (op === 'ne') return `(${stored('eq', value)} IS NOT TRUE)`;
  const operands = list(value);
  const some = stored(
    'in',
    operands.filter((one) => !isNothing(one)),
  );
  const listed = operands.some(isNothing) ? `(${some} OR NOT ${link.visible})` : some;
  return op === 'in' ? listed : op === 'nin' ? `(${listed} IS NOT TRUE)` : wrong();
}
function plainRecordSql(question: Question): string {
  const { scope, op, value } = question;
  if (op === 'in' || op === 'nin') {
    const requestedIds = list(value);
    const ids = idList(
      scope,
      requestedIds.filter((one) => !isNothing(one)),
    );
    return membership(question, requestedIds.some(isNothing) ? [...ids, null] : ids, (some) => scope.params.bind(some, 'uuid[]'));
  }
  const [id] = idList(scope, Array.isArray(value) ? wrong() : value);
  if (id === undefined) return op === 'ne' ? 'TRUE' : 'FALSE';
  return comparison(question, scope.params.bind(id, 'uuid'));
}

function listSql({ scope, operand, op }: Question, operands: readonly string[], type: 'text[]' | 'uuid[]'): string {
  const { sql } = operand;
  const bound = scope.params.bind(operands, type);
  switch (op) {
    case 'hasAny':
      return `${sql} && ${bound}`;
    case 'hasAll':
      return operands.length === 0 ? `NOT ${isEmpty(operand)}` : `${sql} @> ${bound}`;
    case 'hasNone':
      return `(NOT ${sql} && ${bound} OR ${sql} IS NULL)`;
    default:
      return wrong();
  }
}
