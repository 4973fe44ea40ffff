import type { Context } from '../../../context';
import { webhookLimits } from '../../../../contract/tables/webhooks';
import { Failure } from '../../../http/failure';
import { record, systemActor } from '../../audit';
import { notifyContacts } from '../../contacts/notify';
import { startSender } from '../../../kit/outbox';
import { webhookChannel } from '../core/write/outbox';
import { Unsendable, makeBody } from './message';
import { holdsBack } from './order';
import { post } from './post';
import type { Outcome } from './post';
import * as queries from './queries';
import type { DeliveryRecord, WebhookRecord, WebhookLease } from './queries';
import { disabledNotice } from './messages';

export type WebhookSenderOptions = {
  /** All in milliseconds. */
  readonly pollEvery?: number;
  /** Lease of one attempt, after which another process may repeat it. */
  readonly leaseFor?: number;
  readonly timeout?: number;
  /** How long deliveries in progress may take when the sender is closed. */
  readonly graceFor?: number;
};
export type WebhookSender = { /** Stops leasing, and waits briefly for deliveries in progress. */ readonly close: () => Promise<void> };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Delays after failed attempts; after the ninth the delivery has failed (some 22 hours). */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour] as const;
/** Concurrent deliveries: in this process, and to one webhook across all processes. */
const atOnce = 12;
const perHook = 4;
/** Longer bodies are rebuilt instead of stored. */
const maxStoredBytes = 64 * 1024;
/** Maximum delay that a receiver may request. */
const maxRequestedDelay = 6 * hour;

/** When to retry after attempt number `attempts` failed; null: never. A jitter of a fifth spreads retries over time. */
export function nextTry(attempts: number, now: number, requestedDelay: number | null = null, chance = Math.random()): number | null {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : now + Math.max(pause * (1 + chance / 5), Math.min(requestedDelay ?? 0, maxRequestedDelay));
}

/**
 * Sends webhook deliveries until closed: woken by each committed change, and by a timer for retries. Any number of processes may run it: webhooks and
 * rows are taken with `SKIP LOCKED` and leased. If a process dies between sending and storing the result, the message is sent twice, with the same id;
 * it is never lost.
 */
export function startWebhookSender(ctx: Context, options: WebhookSenderOptions = {}): WebhookSender {
  const { pollEvery = 5000, leaseFor = 2 * minute, graceFor = 5000, timeout = webhookLimits.timeoutMs } = options;
  const { db } = ctx.postgres;
  const sender = startSender(ctx, {
    channel: webhookChannel,
    atOnce,
    pollEvery,
    graceFor,
    async takeDue(capacity, start) {
      let found = false;
      for (const hookId of await queries.dueWebhookIds(db, new Date(ctx.now()))) {
        const hookCapacity = Math.min(perHook, capacity());
        if (hookCapacity <= 0) return false;
        const now = ctx.now();
        const lease = await queries.takeDue(db, hookId, perHook, hookCapacity, new Date(now), new Date(now + leaseFor));
        for (const delivery of lease?.deliveries ?? []) {
          found = true;
          start(() => deliver(ctx, lease as WebhookLease, delivery, { timeout, stop: sender.cut }));
        }
      }
      return found;
    },
  });
  return { close: sender.close };
}

type How = { readonly timeout: number; readonly stop: AbortSignal };

/**
 * Attempts one delivery and stores the result; returns when to retry. Never throws: if the result cannot be stored, the delivery stays leased and is
 * retried.
 */
async function deliver(ctx: Context, { hook, site }: WebhookLease, delivery: DeliveryRecord, how: How): Promise<number | null> {
  const { db } = ctx.postgres;
  try {
    let body = delivery.body;
    if (body === null) {
      const built = await build(ctx, { hook, site }, delivery);
      if (built === 'nothing') {
        await queries.dropDelivery(db, delivery);
        return null;
      }
      if ('ok' in built) return await conclude(ctx, hook, delivery, null, built, false);
      ({ body } = built);
    }
    const outcome = await post(ctx, hook, delivery, body, how);
    if (how.stop.aborted && !outcome.ok && outcome.status === null) {
      await queries.giveBack(db, delivery);
      return null;
    }
    return await conclude(ctx, hook, delivery, body, outcome);
  } catch (error) {
    ctx.log.error('What came of a delivery of a webhook could not be written down; it will be tried again', { delivery: delivery.id, error });
    return null;
  }
}

const unsent = { ok: false, status: null, detail: '', reply: null, ms: 0, retryAfter: null } as const;
async function build(
  ctx: Context,
  { hook, site }: Pick<WebhookLease, 'hook' | 'site'>,
  delivery: DeliveryRecord,
): Promise<Outcome | { readonly body: string } | 'nothing'> {
  try {
    const body = await makeBody(ctx, site, hook, delivery);
    return body === null ? 'nothing' : { body };
  } catch (error) {
    if (error instanceof Unsendable) return { ...unsent, error: error.error };
    ctx.log.warn('A message of a webhook could not be made', { delivery: delivery.id, ...(error instanceof Failure ? { code: error.code } : { error }) });
    return { ...unsent, error: 'not_built' };
  }
}

/** Results that a retry would not change. */
const forGood: ReadonlySet<Outcome['error']> = new Set(['gone', 'address_refused', 'table_gone', 'filter_broken'] as const);

/** Stores an attempt. `counts`: whether it reflects on the receiver. Returns when to retry, or null. */
export async function conclude(
  ctx: Context,
  hook: WebhookRecord,
  delivery: DeliveryRecord,
  body: string | null,
  outcome: Outcome,
  counts = true,
): Promise<number | null> {
  const now = ctx.now();
  const { ok, error, detail, status, reply, ms } = outcome;
  const again = ok || delivery.event === 'test' || forGood.has(error) ? null : nextTry(delivery.attempts, now, outcome.retryAfter);
  const off = await ctx.postgres.db.transaction(async (tx) => {
    // The webhook first, then its deliveries: a consistent lock order.
    if (!(await queries.lockWebhook(tx, hook.siteId, hook.id))) return false;
    const ours = await queries.settle(tx, delivery, {
      state: ok ? 'sent' : again === null ? 'failed' : 'waiting',
      nextAt: again === null ? null : new Date(again),
      status,
      error: error === null ? null : [error, detail].filter((part) => part !== '').join(' '),
      reply,
      ms,
      body: body !== null && Buffer.byteLength(body) <= maxStoredBytes ? body : null,
      sentAt: new Date(now),
    });
    if (!ours || !counts || delivery.event === 'test') return false;
    if (ok) {
      await queries.noteSuccess(tx, hook.id);
      return false;
    }
    const since = await queries.noteFailure(tx, hook.id, new Date(now));
    if (error === 'gone') return switchOff(ctx, tx, hook, 'gone', now);
    const tooLong = now - since.getTime() >= webhookLimits.failingDays * 24 * hour;
    // A single failure after a quiet week says little.
    return tooLong && (again === null || delivery.attempts >= holdsBack) && switchOff(ctx, tx, hook, 'failing', now);
  });
  if (off) ctx.log.warn('A webhook was switched off', { hookId: hook.id, siteId: hook.siteId });
  return again;
}

type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
async function switchOff(ctx: Context, tx: Tx, { id, siteId, name }: WebhookRecord, reason: 'gone' | 'failing', now: number): Promise<boolean> {
  if (!(await queries.switchOff(tx, id, reason, new Date(now)))) return false;
  await record(ctx, tx, systemActor, {
    action: 'webhook.changed',
    siteId,
    target: { kind: 'webhook', id, name },
    before: { enabled: true },
    after: { enabled: false, reason },
  });
  const site = await queries.siteNamed(tx, siteId);
  await notifyContacts(ctx, tx, { topic: 'notice', site, message: disabledNotice(ctx, site, { id, name, reason }) });
  return true;
}
