import type { Context } from '../../../context';
import { hookLimits } from '../../../../contract/tables/webhooks';
import { Failure } from '../../../http/failure';
import { record, systemActor } from '../../audit';
import { notifyContacts } from '../../contacts/notify';
import { wakeOn } from '../../../stores/postgres/wakeOn';
import { hookChannel } from '../core/write/outbox';
import { Unsendable, makeBody } from './message';
import { holdsBack } from './order';
import { post } from './post';
import type { Outcome } from './post';
import * as queries from './queries';
import type { DeliveryRecord, HookRecord, Taken } from './queries';
import { offLetter } from './words';

export type HookSenderOptions = {
  /** All in milliseconds. */
  readonly pollEvery?: number;
  /** How long one attempt may take before another process may repeat it. */
  readonly leaseFor?: number;
  readonly timeout?: number;
  /** What is being sent when the sender is closed has this long to get through. */
  readonly graceFor?: number;
};
export type HookSender = { /** Takes nothing more, and waits a little for what is under way. */ readonly close: () => Promise<void> };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Pauses after each failed attempt; after the ninth a delivery has failed (some 22 hours). */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour] as const;
/** Under way at once: in this process, and to one webhook from all of them. */
const atOnce = 12;
const perHook = 4;
/** Longer bodies are made anew instead of being kept. */
const keptBytes = 64 * 1024;
/** The longest pause that a receiver may ask for. */
const longestAsked = 6 * hour;

/** When to try again after attempt number `attempts` failed; null: no more. A fifth of chance keeps receivers from being asked by all at the same moment. */
export function nextTry(attempts: number, now: number, asked: number | null = null, chance = Math.random()): number | null {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : now + Math.max(pause * (1 + chance / 5), Math.min(asked ?? 0, longestAsked));
}

/**
 * Sends what webhooks have to tell until it is closed: woken by each change that is committed, and by its own clock for what is tried again. Any number of
 * processes may do so: webhooks and rows are taken with `SKIP LOCKED` and held by lease. A process that dies between sending and writing it down makes a
 * message go out twice, with the same id; never not at all.
 */
export function startHookSender(ctx: Context, options: HookSenderOptions = {}): HookSender {
  const { pollEvery = 5000, leaseFor = 2 * minute, graceFor = 5000, timeout = hookLimits.timeoutMs } = options;
  const { db } = ctx.postgres;
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let stopping = false;
  let looking: Promise<void> = Promise.resolve();
  let queued = false;
  let alarm: { readonly at: number; readonly timer: NodeJS.Timeout } | null = null;

  async function look(): Promise<void> {
    for (let found = true; found && !stopping && running.size < atOnce;) {
      found = false;
      for (const hookId of await queries.hooksDue(db, new Date(ctx.now()))) {
        const room = Math.min(perHook, atOnce - running.size);
        if (stopping || room <= 0) return;
        const now = ctx.now();
        const taken = await queries.takeDue(db, hookId, perHook, room, new Date(now), new Date(now + leaseFor));
        for (const delivery of taken?.deliveries ?? []) {
          found = true;
          const work = send(taken as Taken, delivery).finally(() => {
            running.delete(work);
            wake();
          });
          running.add(work);
        }
      }
    }
  }
  async function send(taken: Taken, delivery: DeliveryRecord): Promise<void> {
    const next = await deliver(ctx, taken, delivery, { timeout, stop: stop.signal });
    if (next !== null) wakeAt(next);
  }
  function wake(): void {
    if (stopping || queued) return;
    queued = true;
    // One look at a time; another is queued behind it, because something may have come in between.
    looking = looking
      .then(() => {
        queued = false;
        return look();
      })
      .catch((error: unknown) => ctx.log.warn('The outbox of webhooks could not be looked at', { error }));
  }
  function wakeAt(at: number): void {
    if (stopping || (alarm && alarm.at <= at)) return;
    if (alarm) clearTimeout(alarm.timer);
    // What is further off is found by the poll.
    if (at - ctx.now() > minute) return;
    const timer = setTimeout(
      () => {
        alarm = null;
        wake();
      },
      Math.max(50, at - ctx.now() + 10),
    );
    alarm = { at, timer };
  }

  const stopWaking = wakeOn(ctx, hookChannel, pollEvery, wake);

  return {
    async close() {
      stopping = true;
      if (alarm) clearTimeout(alarm.timer);
      await stopWaking();
      await looking;
      const cut = setTimeout(() => stop.abort(), graceFor);
      await Promise.allSettled(running);
      clearTimeout(cut);
    },
  };
}

type How = { readonly timeout: number; readonly stop: AbortSignal };

/** Tries one delivery and writes down what came of it; when it is to be tried again. Never throws: what cannot be written down stays leased and is tried again. */
async function deliver(ctx: Context, { hook, site }: Taken, delivery: DeliveryRecord, how: How): Promise<number | null> {
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
  { hook, site }: Pick<Taken, 'hook' | 'site'>,
  delivery: DeliveryRecord,
): Promise<Outcome | { readonly body: string } | 'nothing'> {
  try {
    const body = await makeBody(ctx, site, hook, delivery);
    return body === null ? 'nothing' : { body };
  } catch (error) {
    if (error instanceof Unsendable) return { ...unsent, fault: error.fault };
    ctx.log.warn('A message of a webhook could not be made', { delivery: delivery.id, ...(error instanceof Failure ? { code: error.code } : { error }) });
    return { ...unsent, fault: 'not_built' };
  }
}

/** What will be the same the next time. */
const forGood: ReadonlySet<Outcome['fault']> = new Set(['gone', 'address_refused', 'table_gone', 'filter_broken'] as const);

/** Writes down an attempt. `counts`: whether it says something about the receiver. When to try again, or null. */
export async function conclude(
  ctx: Context,
  hook: HookRecord,
  delivery: DeliveryRecord,
  body: string | null,
  outcome: Outcome,
  counts = true,
): Promise<number | null> {
  const now = ctx.now();
  const { ok, fault, detail, status, reply, ms } = outcome;
  const again = ok || delivery.event === 'test' || forGood.has(fault) ? null : nextTry(delivery.attempts, now, outcome.retryAfter);
  const off = await ctx.postgres.db.transaction(async (tx) => {
    // The webhook first, then its deliveries: whoever needs both takes them in this order.
    if (!(await queries.lockHook(tx, hook.siteId, hook.id))) return false;
    const ours = await queries.settle(tx, delivery, {
      state: ok ? 'sent' : again === null ? 'failed' : 'waiting',
      nextAt: again === null ? null : new Date(again),
      status,
      error: fault === null ? null : [fault, detail].filter((part) => part !== '').join(' '),
      reply,
      ms,
      body: body !== null && Buffer.byteLength(body) <= keptBytes ? body : null,
      sentAt: new Date(now),
    });
    if (!ours || !counts || delivery.event === 'test') return false;
    if (ok) {
      await queries.noteSuccess(tx, hook.id);
      return false;
    }
    const since = await queries.noteFailure(tx, hook.id, new Date(now));
    if (fault === 'gone') return switchOff(ctx, tx, hook, 'gone', now);
    const tooLong = now - since.getTime() >= hookLimits.failingDays * 24 * hour;
    // A single failure after a week without any change says little.
    return tooLong && (again === null || delivery.attempts >= holdsBack) && switchOff(ctx, tx, hook, 'failing', now);
  });
  if (off) ctx.log.warn('A webhook was switched off', { hookId: hook.id, siteId: hook.siteId });
  return again;
}

type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
async function switchOff(ctx: Context, tx: Tx, { id, siteId, name }: HookRecord, reason: 'gone' | 'failing', now: number): Promise<boolean> {
  if (!(await queries.switchOff(tx, id, reason, new Date(now)))) return false;
  await record(ctx, tx, systemActor, {
    action: 'webhook.changed',
    siteId,
    target: { kind: 'webhook', id, name },
    before: { enabled: true },
    after: { enabled: false, reason },
  });
  const site = await queries.siteNamed(tx, siteId);
  await notifyContacts(ctx, tx, { topic: 'notice', site, words: offLetter(ctx, site, { id, name, reason }) });
  return true;
}
