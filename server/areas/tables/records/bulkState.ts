import type { RecordAction } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { historyTable, recordsTable } from '../core/ids';
import { lockRows, run } from '../core/write/rows';
import type { TableContext } from '../core/tableContext';
import type { Db, WriteTx } from '../core/write/types';
import { changedSince, revisionsOf } from './target';
import type { RecordSelection } from './target';

/**
 * The state that a bulk preview is based on: time, number of records, and a checksum of their revisions. A bulk change that carries it is refused if the
 * query matches other records or other revisions.
 */
export type BulkState = { readonly at: Date; readonly count: number; readonly sum: string };
export const printState = ({ at, count, sum }: BulkState): string => `${at.getTime()}.${count}.${sum}`;
export function readState(text: string): BulkState {
  const [at = '', count = '', sum = ''] = text.split('.');
  return { at: new Date(Number(at)), count: Number(count), sum };
}

/** Throws `stale_revision` with the number of changed records; at least one if those that no longer match cannot be counted. */
export async function refuseOthers(
  ctx: Context,
  context: TableContext,
  action: RecordAction,
  selection: RecordSelection,
  expectedState: BulkState,
  now: BulkState,
): Promise<void> {
  if (now.count === expectedState.count && now.sum === expectedState.sum) return;
  const changed = await changedSince(ctx, context, action, selection, expectedState.at);
  fail('stale_revision', { current: { changed: Math.max(changed, Math.abs(now.count - expectedState.count), 1) } });
}

/** For an immediate change: locks the records before comparing, so that nobody changes them afterwards. */
export async function requireSame(
  w: WriteTx,
  context: TableContext,
  action: RecordAction,
  ids: readonly string[],
  selection: RecordSelection,
  expectedState: BulkState,
): Promise<void> {
  await lockRows(w.tx, context.model.siteId, context.table, ids, { fields: [], tr: false, published: false });
  await refuseOthers(w.ctx, context, action, selection, expectedState, await revisionsOf(w.ctx, context, action, { filter: null, ids }, w.tx));
}

/** Revisions that records had at a moment. */
export async function revisionsAt(tx: Db, siteId: string, tableId: string, ids: readonly string[], at: Date): Promise<Map<string, number>> {
  const found = await run<{ id: string; rev: number }>(
    tx,
    `SELECT t.id, coalesce((SELECT min(h.rev) - 1 FROM ${historyTable(siteId)} h WHERE h.table_id = $1::text AND h.record_id = t.id AND h.at > $2::timestamptz), t.rev) AS rev
     FROM ${recordsTable(siteId, tableId)} t WHERE t.id = ANY($3::uuid[])`,
    [tableId, at.toISOString(), ids],
  );
  return new Map(found.map(({ id, rev }) => [id, rev]));
}
