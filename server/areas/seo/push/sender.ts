import { randomUUID } from 'node:crypto';
import { seoLimits } from '../../../../contract/seo/terms';
import type { PushEngine, PushReason } from '../../../../contract/seo/terms';
import type { Context } from '../../../context';
import { startSender } from '../../../kit/outbox';
import type { Sender } from '../../../kit/outbox';
import { DAY, HOUR, MINUTE, addDays, dayAt, dayStart } from '../../../zone';
import { callEngine, stops } from './engines';
import type { PushCall, PushOutcome } from './engines';
import * as queries from './queries';
import type { PushEngineRow, PushSettingsRow } from './queries';

/** Lease of one call, well above its longest duration. */
const leaseFor = 2 * MINUTE;
/** Delays after failed calls in a row; the last one applies to all further ones. */
const pauses = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY] as const;
/** Failed attempts after which an address is given up: some five days. */
const mostAttempts = 12;
/** Baidu's quota is one of its days. */
const baiduZone = 'Asia/Shanghai';

export const sealPurpose = 'seo push';
const batchOf: Readonly<Record<PushEngine, number>> = { indexnow: seoLimits.pushBatch, baidu: seoLimits.baiduBatch };

const tomorrow = (now: number): Date => new Date(dayStart(addDays(dayAt(now, baiduZone), 1), baiduZone));

/** When to call an engine again after the last of `failures` failed calls in a row. A jitter of a fifth spreads retries over time. */
export function nextCall(failures: number, now: number, retryAfter: number | null = null, chance = Math.random()): Date {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? MINUTE;
  return new Date(now + Math.max(pause * (1 + chance / 5), Math.min(retryAfter ?? 0, DAY)));
}

/** The quota that is known to remain on the day of Baidu; null: unknown. */
export const remainingNow = ({ remaining, remainingOn }: Pick<PushEngineRow, 'remaining' | 'remainingOn'>, now: number): number | null =>
  remainingOn === dayAt(now, baiduZone) ? remaining : null;

export function callOf(ctx: Pick<Context, 'secrets'>, settings: PushSettingsRow, engine: PushEngine, addresses: readonly string[]): PushCall | null {
  const { origin, host } = new URL(addresses[0] ?? 'http://localhost');
  if (engine === 'indexnow') return settings.indexnowKey === null ? null : { engine, key: settings.indexnowKey, origin, host, addresses };
  if (settings.baiduToken === null || settings.baiduSite === '') return null;
  return { engine, site: settings.baiduSite, token: ctx.secrets.open(sealPurpose, settings.baiduToken), addresses };
}

type EngineChange = Pick<PushEngineRow, 'problem' | 'stopped' | 'pausedUntil' | 'failures' | 'remaining' | 'remainingOn' | 'batch'>;

/** What an engine does after a call of `size` addresses. */
export function afterCall(row: PushEngineRow, { failure, remaining, retryAfter }: PushOutcome, size: number, now: number): EngineChange {
  const today = dayAt(now, baiduZone);
  const known = { remaining: remaining ?? remainingNow(row, now), remainingOn: today };
  const fine = { problem: null, stopped: false, pausedUntil: null, failures: 0, batch: null, ...known };
  if (failure === null) return known.remaining === 0 ? { ...fine, problem: 'quota', pausedUntil: tomorrow(now) } : fine;
  // More addresses than the quota allows are refused as a whole: fewer may fit.
  if (failure === 'quota' && size > 1) return { ...fine, remaining: null, batch: Math.floor(size / 2) };
  if (failure === 'quota') return { ...fine, problem: 'quota', pausedUntil: tomorrow(now), remaining: 0 };
  const failures = row.failures + 1;
  const failing = { ...known, problem: failure, failures, batch: row.batch };
  return stops.has(failure)
    ? { ...failing, stopped: true, pausedUntil: null }
    : { ...failing, stopped: false, pausedUntil: nextCall(failures, now, retryAfter) };
}

type Lease = { readonly siteId: string; readonly engine: PushEngine; readonly leaseId: string };
type Batch = Awaited<ReturnType<typeof queries.nextAddresses>>;

async function store(ctx: Context, lease: Lease, row: PushEngineRow, batch: Batch, outcome: PushOutcome, leasedAt: Date): Promise<Date | null> {
  const now = new Date(ctx.now());
  const change = afterCall(row, outcome, batch.length, ctx.now());
  await ctx.postgres.db.transaction(async (tx) => {
    if (!(await queries.endLease(tx, lease, change))) return;
    const { status, failure, refused } = outcome;
    if (failure !== null) {
      const ids = batch.map(({ id }) => id);
      await queries.recordAttempt(tx, ids, leasedAt, { status, reason: failure }, failure !== 'quota');
      await queries.giveUp(tx, ids, mostAttempts, now);
      return;
    }
    const reasons = new Map<PushReason, number[]>();
    for (const { id, address } of batch) {
      const reason = refused.get(address);
      if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
    }
    for (const [reason, ids] of reasons) await queries.recordAttempt(tx, ids, leasedAt, { state: 'refused', status, reason, sentAt: now });
    const sent = batch.flatMap(({ id, address }) => (refused.has(address) ? [] : [id]));
    await queries.recordAttempt(tx, sent, leasedAt, { state: 'sent', status, reason: null, sentAt: now });
  });
  ctx.live.publish({ type: 'seo', siteId: lease.siteId, change: 'pushes' });
  return change.pausedUntil;
}

/** Sends one batch. Resolves to the time of the next one if the engine pauses; never rejects, because the lease expires by itself. */
async function push(ctx: Context, lease: Lease, stop: AbortSignal): Promise<number | null> {
  const { db } = ctx.postgres;
  try {
    const [settings, engines] = await Promise.all([queries.findSettings(db, lease.siteId), queries.listEngines(db, lease.siteId)]);
    const row = engines.find(({ engine }) => engine === lease.engine);
    const leasedAt = new Date(ctx.now());
    const most = Math.min(batchOf[lease.engine], ...[row?.batch, row && remainingNow(row, ctx.now())].filter((one) => typeof one === 'number'));
    const batch = await queries.nextAddresses(db, lease.siteId, lease.engine, Math.max(most, 1));
    if (row === undefined || settings === null || batch.length === 0) {
      await queries.endLease(db, lease, {});
      return null;
    }
    const call = callOf(
      ctx,
      settings,
      lease.engine,
      batch.map(({ address }) => address),
    );
    if (call === null) {
      await queries.endLease(db, lease, { stopped: true, problem: lease.engine === 'baidu' ? 'token_refused' : 'key_refused' });
      return null;
    }
    const outcome = await callEngine(ctx.config, call, stop, ctx.now());
    if (stop.aborted && outcome.status === null) {
      await queries.endLease(db, lease, {});
      return null;
    }
    return (await store(ctx, lease, row, batch, outcome, leasedAt))?.getTime() ?? null;
  } catch (error) {
    ctx.log.error('What came of a push to a search engine could not be stored; it will be repeated', { siteId: lease.siteId, engine: lease.engine, error });
    return null;
  }
}

/** Sends waiting addresses until closed, one call at a time for each engine of a site. */
export function startPushSender(ctx: Context, { pollEvery = 10_000 }: { readonly pollEvery?: number } = {}): Pick<Sender, 'close'> {
  const sender = startSender(ctx, {
    channel: queries.pushChannel,
    atOnce: 4,
    pollEvery,
    graceFor: 5000,
    async takeDue(capacity, start) {
      const [leaseId, now] = [randomUUID(), ctx.now()];
      const engines = await queries.takeEngines(ctx.postgres.db, capacity(), leaseId, new Date(now), new Date(now + leaseFor));
      for (const one of engines) start(() => push(ctx, { ...one, leaseId }, sender.cut));
      return engines.length > 0;
    },
  });
  return { close: sender.close };
}
