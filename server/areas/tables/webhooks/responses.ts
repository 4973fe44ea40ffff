import { deliveryErrors } from '../../../../contract/tables/webhooks';
import type { DeliveryError, Webhook, WebhookDelivery, WebhookEvent } from '../../../../contract/tables/webhooks';
import type { DeliveryRecord, Figures, WebhookRecord } from './queries';

const nothing: Figures = { sent: 0, failed: 0, waiting: 0, latest: [] };

/** A webhook as shown to people who design tables; never includes its secret. */
export function webhookResponse(row: WebhookRecord, figures: Figures = nothing): Webhook {
  const { id, name, url, tableIds, filter, enabled, offReason, offAt, failingSince, oldSecretUntil, createdAt, revision } = row;
  const { latest, ...counts } = figures;
  return {
    id,
    name,
    url,
    events: row.events as WebhookEvent[],
    tables: tableIds,
    filter,
    enabled,
    off: offReason === null || offAt === null ? null : { reason: offReason, at: offAt.toISOString() },
    failingSince: failingSince?.toISOString() ?? null,
    oldSecretUntil: oldSecretUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    revision,
    figures: counts,
    latest: latest.map((one) => ({ ...one, id: String(one.id), at: new Date(one.at).toISOString() })),
  };
}

const isDeliveryError = (word: string): word is DeliveryError => (deliveryErrors as readonly string[]).includes(word);

export function deliveryResponse(row: DeliveryRecord): WebhookDelivery {
  const [word = '', detail = ''] = (row.error ?? '').split(' ');
  return {
    id: String(row.id),
    event: row.event,
    tableId: row.tableId === '' ? null : row.tableId,
    batchId: row.batchId,
    records: row.recordIds.length,
    state: row.state,
    attempts: row.attempts,
    at: row.at.toISOString(),
    triedAt: row.sentAt?.toISOString() ?? null,
    nextAt: row.state === 'waiting' ? (row.nextAt?.toISOString() ?? null) : null,
    status: row.status,
    error: isDeliveryError(word) ? word : null,
    detail,
    ms: row.ms,
  };
}
