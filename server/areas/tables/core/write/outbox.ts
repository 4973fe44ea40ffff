import { webhookLimits } from '../../../../../contract/tables/webhooks';
import type { WebhookEvent } from '../../../../../contract/tables/webhooks';
import { contentDeliveries } from '../schema';
import type { Applied, HistoryKind } from './apply';
import { run } from './rows';
import type { WriteTx } from './types';

/** Webhook events by kind of change. Reordering triggers none. */
const eventOf: Readonly<Record<HistoryKind, WebhookEvent | null>> = {
  create: 'record.created',
  update: 'record.updated',
  trash: 'record.deleted',
  restore: 'record.restored',
  publish: 'record.published',
  unpublish: 'record.unpublished',
  schedule: null,
  move: null,
};
/** History kind by event. */
export const kindOfEvent: ReadonlyMap<string, HistoryKind> = new Map(
  (Object.entries(eventOf) as [HistoryKind, WebhookEvent | null][]).flatMap(([kind, event]) => (event === null ? [] : [[event, kind] as const])),
);
/** Notification channel that wakes the senders. */
export const webhookChannel = 'table_hooks';
/** Rows per statement; each has the ids of a hundred records. */
const rowsAtOnce = 200;

/**
 * Writes webhook messages to the outbox in the transaction of the change: one row per webhook, event and hundred records. Senders are woken after the
 * commit.
 */
export async function queueWebhookDeliveries(
  w: WriteTx,
  { siteId, tableId, batchId, applied }: { readonly siteId: string; readonly tableId: string; readonly batchId: string; readonly applied: readonly Applied[] },
): Promise<void> {
  const webhooks = await run<{ id: string; events: WebhookEvent[]; tableIds: string[] | null }>(
    w.tx,
    'SELECT id, events, table_ids AS "tableIds" FROM content_hooks WHERE site_id = $1::text AND enabled',
    [siteId],
    'content_hooks',
  );
  const subscribed = webhooks.filter((hook) => hook.tableIds === null || hook.tableIds.includes(tableId));
  if (subscribed.length === 0) return;
  const parts = new Map<string, (readonly [string, readonly [number, number]][])[]>();
  for (const [event, spans] of spansOf(applied)) parts.set(event, hundreds([...spans]));
  const rows = subscribed.flatMap((hook) =>
    hook.events.flatMap((event) =>
      (parts.get(event) ?? []).map((records) => ({
        hookId: hook.id,
        siteId,
        tableId,
        event,
        batchId,
        recordIds: records.map(([id]) => id),
        spans: records.map(([, span]) => span),
        state: 'waiting' as const,
        nextAt: w.now,
        at: w.now,
      })),
    ),
  );
  for (let at = 0; at < rows.length; at += rowsAtOnce) await w.tx.insert(contentDeliveries).values(rows.slice(at, at + rowsAtOnce));
  // After the commit, because NOTIFY inside a transaction serializes commits. If the process dies first, the senders' timer finds the rows.
  if (rows.length > 0)
    w.after(
      () => void w.ctx.postgres.notify(webhookChannel, '').catch((error: unknown) => w.ctx.log.warn('Senders of webhooks could not be woken', { error })),
    );
}

/** First and last revision of each record, by event. */
function spansOf(applied: readonly Applied[]): Map<string, Map<string, readonly [number, number]>> {
  const events = new Map<string, Map<string, readonly [number, number]>>();
  for (const { id, kind, revision, changed } of applied) {
    const event = eventOf[kind];
    if (event === null || !changed) continue;
    const spans = events.get(event) ?? new Map<string, readonly [number, number]>();
    const [first, last] = spans.get(id) ?? [revision, revision];
    events.set(event, spans.set(id, [Math.min(first, revision), Math.max(last, revision)]));
  }
  return events;
}

function hundreds<T>(all: readonly T[]): (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < all.length; at += webhookLimits.records) parts.push(all.slice(at, at + webhookLimits.records));
  return parts;
}
