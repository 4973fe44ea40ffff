import { fail } from '../../../http/failure';
import { grantOf } from '../core/access';
import { permitted } from '../core/write/lookups';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteTx } from '../core/write/types';
import * as queries from './queries';
import { ordersBetween } from './order';

/**
 * Moves records, in the given order, before another (null: to the end), changing only their position. Where records share a position (an undone move),
 * those behind the gap move along, so that the requested order results. `before` may be one of the moved records: then the first record behind it that
 * is not moved counts. Throws `not_found` if the reader may not see it.
 */
export async function moves(w: WriteTx, context: TableContext, ids: readonly string[], before: string | null): Promise<Change[]> {
  const { tx } = w;
  const { model, table, reader } = context;
  const { siteId } = model;
  if (before !== null && !(await permitted(w, context, table, [before], { grants: [grantOf(table, reader, 'read')] })).has(before)) fail('not_found');
  await queries.lockOrder(tx, table.id);
  const next = before === null ? null : await queries.firstFrom(tx, siteId, table.id, before, ids);
  if (!next) {
    const low = await queries.neighbour(tx, siteId, table.id, 'below', null, ids);
    return placed(ids, ordersBetween(low, null, ids.length));
  }
  const shared = await queries.sharing(tx, siteId, table.id, next, ids);
  if (!shared.before) {
    const low = await queries.neighbour(tx, siteId, table.id, 'below', next.ord, ids);
    return placed(ids, ordersBetween(low, next.ord, ids.length));
  }
  const high = await queries.neighbour(tx, siteId, table.id, 'above', next.ord, ids);
  const orders = ordersBetween(next.ord, high, ids.length + shared.from.length);
  const along = placed(shared.from, orders.slice(ids.length)).map((change): Change => ({ ...change, system: true }));
  return [...placed(ids, orders.slice(0, ids.length)), ...along];
}

const placed = (ids: readonly string[], orders: readonly string[]): Extract<Change, { readonly kind: 'move' }>[] =>
  ids.map((id, at) => ({ kind: 'move', id, ord: orders[at] ?? '0' }));
