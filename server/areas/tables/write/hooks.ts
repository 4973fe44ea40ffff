import { and, eq } from 'drizzle-orm';
import { contentDeliveries, contentHooks } from '../schema';
import type { Applied, HistoryKind } from './apply';
import type { WriteTx } from './types';

/** Events that webhooks may ask for, by what was done. The order of records concerns nobody outside. */
const eventOf: Readonly<Record<HistoryKind, string | null>> = {
  create: 'record.created',
  update: 'record.updated',
  trash: 'record.deleted',
  restore: 'record.restored',
  publish: 'record.published',
  unpublish: 'record.unpublished',
  schedule: null,
  move: null,
};

/** Writes what webhooks will send into the outbox, in the transaction of the change: one row a webhook and event. */
export async function queueHooks(
  w: WriteTx,
  { siteId, tableId, batchId, applied }: { readonly siteId: string; readonly tableId: string; readonly batchId: string; readonly applied: readonly Applied[] },
): Promise<void> {
  const hooks = await w.tx
    .select({ id: contentHooks.id, events: contentHooks.events, tableIds: contentHooks.tableIds })
    .from(contentHooks)
    .where(and(eq(contentHooks.siteId, siteId), eq(contentHooks.enabled, true)));
  const rows = hooks
    .filter((hook) => hook.tableIds === null || hook.tableIds.includes(tableId))
    .flatMap((hook) =>
      hook.events.flatMap((event) => {
        const recordIds = [...new Set(applied.filter((one) => eventOf[one.kind] === event).map((one) => one.id))];
        return recordIds.length === 0
          ? []
          : [{ hookId: hook.id, siteId, tableId, event, batchId, recordIds, state: 'waiting' as const, nextAt: w.now, at: w.now }];
      }),
    );
  if (rows.length > 0) await w.tx.insert(contentDeliveries).values(rows);
}
