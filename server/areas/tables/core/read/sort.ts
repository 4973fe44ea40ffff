import type { RecordSort } from '../../../../../contract/tables/recordFilter';
import { failField } from '../../../../http/failure';
import { columnName } from '../ids';
import type { Used } from './filter';
import { labelAt } from './label';
import { linkedRows } from './links';
import { operandOf } from './operand';
import type { Operand } from './operand';
import { shortHash } from './readContext';
import type { ReadContext } from './readContext';

/** One key of an order. Empty values come last in both directions. */
export type SortKey = { readonly sql: string; readonly type: string; readonly descending: boolean; readonly always: boolean };
/** Where a page ended: key values in PostgreSQL's text format, then `ord` and id. */
export type Place = { readonly keys: readonly (string | null)[]; readonly ord: string; readonly id: string };

/** Prefix length for sorting texts without an index: the values at the end of a page become part of a URL. */
const keyLength = 200;
const sortable = new Set<Operand['kind']>(['text', 'number', 'boolean', 'date', 'datetime', 'time', 'record']);

/** Sort keys, limited to fields that the reader may read. Choices sort in their defined order, links and people by name. */
export function sortKeys(scope: ReadContext, sort: readonly RecordSort[], used?: Used[]): SortKey[] {
  return sort.map(({ field: name, descending }, at) => {
    const operand = operandOf(scope, name, 'sort');
    if (!sortable.has(operand.kind) || operand.field?.type === 'password') return failField('sort', 'wrong_type');
    const { sql, type } = orderSql(scope, operand, name);
    const isPlain = sql === operand.sql;
    used?.push({ id: operand.field?.id ?? name, indexed: operand.indexed && isPlain });
    const walksIndex = at === 0 && operand.indexed && isPlain;
    return { sql: type === 'text' && !walksIndex ? `left(${sql}, ${keyLength})` : sql, type, descending, always: operand.always && isPlain };
  });
}

/** The expression to sort by, and its type. */
export function orderSql(scope: ReadContext, operand: Operand, name: string): { readonly sql: string; readonly type: string } {
  const { field, sql, column } = operand;
  if (field?.type === 'select')
    return {
      sql: `array_position(${scope.params.bind(
        (field.options.choices ?? []).map((choice) => choice.id),
        'text[]',
      )}, ${sql})`,
      type: 'int',
    };
  const byName = (text: string) => ({ sql: `((${text}) ${scope.collation})`, type: 'text' });
  if (field?.type === 'user' || name === '$createdBy' || name === '$updatedBy') return byName(`SELECT p.display_name FROM users p WHERE p.id = ${sql}`);
  if (field?.type === 'relation') {
    const linked = linkedRows(scope, field);
    return linked ? byName(`SELECT ${labelAt(linked.scope).sql} FROM ${linked.from} WHERE ${linked.where}`) : byName('NULL::text');
  }
  return { sql: field && column === 'text' && sql !== `${scope.row}.${columnName(field.id)}` ? `(${sql} ${scope.collation})` : sql, type: column };
}

/** Tie-breakers: manual order, then id. */
const ties = (scope: ReadContext): string => `${scope.row}.ord, ${scope.row}.id`;

const bindPlace = (scope: ReadContext, key: SortKey, value: string): string => scope.params.bind(value, key.type);
const tieAfter = (scope: ReadContext, place: Place, sign: '>' | '<'): string =>
  `(${ties(scope)}) ${sign} (${scope.params.bind(place.ord, 'numeric')}, ${scope.params.bind(place.id, 'uuid')})`;

/** Condition that a row comes after (or before) a place, by the keys from `at` on. */
function beyond(scope: ReadContext, keys: readonly SortKey[], place: Place, side: 'after' | 'before', at = 0): string {
  const key = keys[at];
  if (!key) return tieAfter(scope, place, side === 'after' ? '>' : '<');
  const value = place.keys[at] ?? null;
  const rest = beyond(scope, keys, place, side, at + 1);
  if (value === null) return side === 'after' ? `(${key.sql} IS NULL AND ${rest})` : `(${key.sql} IS NOT NULL OR ${rest})`;
  const bound = bindPlace(scope, key, value);
  const sign = key.descending === (side === 'after') ? '<' : '>';
  const nulls = side === 'after' && !key.always ? ` OR ${key.sql} IS NULL` : '';
  return `(${key.sql} ${sign} ${bound}${nulls} OR (${key.sql} = ${bound} AND ${rest}))`;
}

export const beforePlace = (scope: ReadContext, keys: readonly SortKey[], place: Place): string => beyond(scope, keys, place, 'before');

/** A range of an order that a single index scan can return: rows with a first key, then those without. */
export type Stretch = { readonly where: string; readonly order: string };

export function stretches(scope: ReadContext, keys: readonly SortKey[], after: Place | null): Stretch[] {
  const [first, ...rest] = keys;
  if (!first) return [{ where: after ? tieAfter(scope, after, '>') : 'TRUE', order: ties(scope) }];
  const tail = [...rest.map((key) => `${key.sql} ${key.descending ? 'DESC' : 'ASC'} NULLS LAST`), ties(scope)].join(', ');
  const order = `${first.sql} ${first.descending ? 'DESC' : 'ASC'}, ${tail}`;
  const from = after?.keys[0] ?? null;
  const there: Stretch[] = [];
  if (!after) there.push({ where: first.always ? 'TRUE' : `${first.sql} IS NOT NULL`, order });
  else if (from !== null) {
    // Implied by the second comparison, but gives an index scan its starting point.
    const begin = `${first.sql} ${first.descending ? '<=' : '>='} ${bindPlace(scope, first, from)}`;
    const sure = { ...first, always: true };
    there.push({ where: `${begin} AND ${beyond(scope, [sure, ...rest], after, 'after')}`, order });
  }
  if (!first.always) there.push({ where: after && from === null ? beyond(scope, keys, after, 'after') : `${first.sql} IS NULL`, order: tail });
  return there;
}

/** Identifies what a cursor belongs to: it is invalid for another order, table or language. */
export const orderName = (scope: ReadContext, sort: readonly RecordSort[]): string =>
  shortHash(JSON.stringify([scope.table.id, scope.locale, sort.map((one) => [scope.table.byName.get(one.field)?.id ?? one.field, one.descending])]));

export const writeCursor = (name: string, place: Place): string =>
  Buffer.from(JSON.stringify([name, place.ord, place.id, ...place.keys])).toString('base64url');

/** Throws `invalid_fields` for `cursor` if it is malformed or belongs to another query. */
export function readCursor(name: string, keys: readonly SortKey[], cursor: string): Place {
  const bad = (): never => failField('cursor', 'pattern');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return bad();
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 3) return bad();
  const [own, ord, id, ...values] = parts as unknown[];
  if (own !== name || typeof ord !== 'string' || !/^-?\d{1,40}(\.\d{1,2000})?$/.test(ord) || typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id))
    return bad();
  if (!values.every((value): value is string | null => value === null || typeof value === 'string')) return bad();
  return { ord, id, keys: values };
}
