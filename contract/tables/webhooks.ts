import { z } from 'zod';
import { tableWebhookCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordFilterSchema } from './recordFilter';
import { SiteId } from '../sites/schemas';
import { P, TableRef } from './schemas';
import { rowId, safeName } from '../text';

/**
 * Webhooks of content tables, which send record changes to another program. Signed according to Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature: v1,…`), delivered at least once, retried for a day: docs/en/webhooks.md.
 */
export const webhookEvents = ['record.created', 'record.updated', 'record.deleted', 'record.restored', 'record.published', 'record.unpublished'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** `waiting`: not sent yet, or to be retried; `failed`: given up, until replayed manually. */
export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/**
 * Why a delivery failed: `answered` with another status than 2xx, `redirected` (redirects are not followed), `gone` (410: the webhook was disabled),
 * `timed_out` after ten seconds, `not_reachable`, `address_refused` (a private address that the installation does not allow), `not_built` (the message
 * could not be built, and is retried), `table_gone`, `filter_broken` (the filter uses a field that no longer exists), `switched_off` (while waiting).
 */
export const deliveryErrors = [
  'answered',
  'redirected',
  'gone',
  'timed_out',
  'not_reachable',
  'address_refused',
  'not_built',
  'table_gone',
  'filter_broken',
  'switched_off',
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

export const webhookLimits = {
  /** Per site. */
  hooks: 30,
  /** Records per message. */
  records: 100,
  /** Bytes of a message; further records are sent without values. */
  bodyBytes: 4 * 2 ** 20,
  /** Bytes of a response that are stored. */
  replyBytes: 2048,
  timeoutMs: 10_000,
  /** Days that deliveries are kept; days of continuous failure after which a webhook is disabled. */
  keepDays: 30,
  failingDays: 7,
  /** Hours that the old secret also signs after it was replaced. */
  oldSecretHours: 24,
  urlLength: 2000,
  /** Number of deliveries in the success rate. */
  counted: 500,
} as const;

const url = z
  .string()
  .trim()
  .max(webhookLimits.urlLength)
  .pipe(z.url({ protocol: /^https?$/ }));
const fields = {
  name: safeName(60),
  url,
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  /** By id, key or alias; null: every table, including future ones. */
  tables: z.array(TableRef).min(1).max(200).nullable(),
  /** Only records that match after the change; for a webhook of exactly one table. */
  filter: RecordFilterSchema.nullable(),
  enabled: z.boolean(),
};
export const NewWebhook = z.strictObject({
  name: fields.name,
  url: fields.url,
  events: fields.events,
  tables: fields.tables.default(null),
  filter: fields.filter.default(null),
  enabled: fields.enabled.default(true),
});
export type NewWebhook = z.input<typeof NewWebhook>;
/** Omitted properties stay. */
export const WebhookChange = z.strictObject(fields).partial();
export type WebhookChange = z.input<typeof WebhookChange>;

const DeliveryMark = z.object({ id: z.string(), state: z.enum(deliveryStates), event: z.string(), at: z.iso.datetime(), status: z.int().nullable() });
export const Webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** Ids; null: every table. */
  tables: z.array(z.string()).nullable(),
  filter: z.unknown().nullable(),
  enabled: z.boolean(),
  /** Why and when it was disabled automatically; null: it was not. */
  off: z.object({ reason: z.enum(['gone', 'failing']), at: z.iso.datetime() }).nullable(),
  /** Start of the current run of failures. */
  failingSince: z.iso.datetime().nullable(),
  /** Until then the previous secret signs too. */
  oldSecretUntil: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  revision: z.int(),
  /** Results of the latest deliveries (without tests), and the number waiting. */
  figures: z.object({ sent: z.int(), failed: z.int(), waiting: z.int() }),
  /** The latest few, latest first. */
  latest: z.array(DeliveryMark),
});
export type Webhook = z.infer<typeof Webhook>;
const CreatedWebhook = z.object({
  hook: Webhook,
  /** `whsec_` and Base64: returned only once. */
  secret: z.string(),
});
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;

const delivery = {
  id: z.string(),
  /** One of `hookEvents`, or `test`. */
  event: z.string(),
  tableId: z.string().nullable(),
  batchId: z.uuid().nullable(),
  records: z.int(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  at: z.iso.datetime(),
  /** The last and the next attempt. */
  triedAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** HTTP status of the response. */
  status: z.int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  /** A network error code (`ECONNREFUSED`). */
  detail: z.string(),
  ms: z.int().nullable(),
};
export const WebhookDelivery = z.object(delivery);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
export const WebhookDeliveryDetails = z.object({
  ...delivery,
  recordIds: z.array(z.uuid()),
  request: z.object({
    url: z.string(),
    /** As sent, without the signature. */
    headers: z.record(z.string(), z.string()),
    /** null: it cannot be rebuilt any more. */
    body: z.string().nullable(),
    /** Long bodies are not stored but rebuilt from record history. */
    rebuilt: z.boolean(),
  }),
  /** Beginning of the response to the last attempt. */
  reply: z.string().nullable(),
});
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

const H = z.object({ siteId: SiteId, hook: rowId });
const number = z.string().regex(/^\d{1,15}$/);
const D = H.extend({ delivery: number });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;

export const tableWebhookEndpoints = {
  hooks: endpoint(tableWebhookCalls.hooks, {
    ...design,
    summary: 'Webhooks of content tables, with what came of their latest deliveries',
    params: P,
    response: z.array(Webhook),
  }),
  hook: endpoint(tableWebhookCalls.hook, { ...design, summary: 'One webhook', params: H, response: Webhook, errors: ['not_found'] }),
  addHook: endpoint(tableWebhookCalls.addHook, {
    ...design,
    summary: 'Add a webhook; its secret is returned only once',
    params: P,
    body: NewWebhook,
    response: CreatedWebhook,
    errors: ['invalid_fields', 'conflict'],
    ratePerMinute: 60,
  }),
  changeHook: endpoint(tableWebhookCalls.changeHook, {
    ...design,
    ifMatch: 'required',
    summary: 'Change a webhook, switch it off or on again (If-Match: revision); what waits while it is off is sent when it is on again',
    params: H,
    body: WebhookChange,
    response: Webhook,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  removeHook: endpoint(tableWebhookCalls.removeHook, {
    ...design,
    summary: 'Remove a webhook with its deliveries; it can be restored for an hour',
    params: H,
    errors: ['not_found'],
  }),
  restoreHook: endpoint(tableWebhookCalls.restoreHook, {
    ...design,
    summary: 'Restore a removed webhook with its id, its secret and its latest deliveries; what was waiting is sent',
    params: H,
    response: Webhook,
    errors: ['not_found', 'conflict'],
  }),
  rotateHook: endpoint(tableWebhookCalls.rotateHook, {
    ...design,
    summary: 'Create a new secret, returned only once; the old one also signs for a day unless `keepOld` is false',
    params: H,
    body: z.strictObject({ keepOld: z.boolean().default(true) }),
    response: CreatedWebhook,
    errors: ['not_found'],
    ratePerMinute: 30,
  }),
  testHook: endpoint(tableWebhookCalls.testHook, {
    ...design,
    summary: 'Send a test message now and wait for what comes of it (10 s at most); never tried again',
    params: H,
    response: WebhookDeliveryDetails,
    errors: ['not_found', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  hookDeliveries: endpoint(tableWebhookCalls.hookDeliveries, {
    ...design,
    summary: 'Deliveries of a webhook, latest first, a page at a time by cursor; kept for 30 days',
    params: H,
    query: z.object({
      state: z.enum(deliveryStates).optional(),
      event: z.enum([...webhookEvents, 'test']).optional(),
      before: number.optional(),
      size: z.coerce.number().int().min(1).max(100).default(50),
    }),
    /** `next`: the cursor of the following page. */
    response: z.object({ rows: z.array(WebhookDelivery), next: z.string().nullable() }),
    errors: ['not_found'],
  }),
  hookDelivery: endpoint(tableWebhookCalls.hookDelivery, {
    ...design,
    summary: 'One delivery: what is sent, and the beginning of the answer',
    params: D,
    response: WebhookDeliveryDetails,
    errors: ['not_found', 'too_slow'],
  }),
  replayDelivery: endpoint(tableWebhookCalls.replayDelivery, {
    ...design,
    summary: 'Send a delivery again, with the same id; what waits is sent at once',
    params: D,
    response: WebhookDelivery,
    errors: ['not_found', 'conflict'],
    ratePerMinute: 120,
  }),
  replayFailed: endpoint(tableWebhookCalls.replayFailed, {
    ...design,
    summary: 'Send again all deliveries that failed, of changes since a moment',
    params: H,
    body: z.strictObject({ since: z.iso.datetime({ offset: true }) }),
    response: z.object({ count: z.int() }),
    errors: ['not_found', 'conflict'],
    ratePerMinute: 30,
  }),
} as const;
