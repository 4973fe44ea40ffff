import type { Transporter } from 'nodemailer';
import type { Context } from '../context';
import { startSender } from '../kit/outbox';
import type { Letter } from './letter';
import { post } from './post';
import * as queries from './queries';
import type { OutboxRecord } from './queries';
import { openPool, sendLetter } from './smtp';
import { Undelivered } from './undelivered';

export type MailerOptions = {
  /** All in milliseconds. */
  readonly pollEvery?: number;
  /** How long one message may take before another process may try it. Longer than `sendWithin`. */
  readonly leaseFor?: number;
  readonly sendWithin?: number;
  /** What is being sent when the mailer is closed has this long to get through. */
  readonly graceFor?: number;
};

export type Mailer = {
  /** Takes nothing more, and waits a little for what is under way. */ readonly close: () => Promise<void>;
};

const minute = 60_000;
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute, 360 * minute, 720 * minute] as const;
/** A message is tried for a day after the moment it was due; then it is old news. */
export const tryFor = 24 * 60 * minute;
const atOnce = 5;

/** When to try again after attempt number `attempts` failed: never (null) once a day is over, and for the last time when it ends. */
export function nextTry(attempts: number, due: number, now: number): number | null {
  const last = due + tryFor;
  if (now >= last) return null;
  return Math.min(now + (pauses[Math.min(attempts, pauses.length) - 1] ?? minute), last);
}

/**
 * Sends what lies in the outbox until it is closed. Any number of processes may do so: rows are taken with `SKIP LOCKED` and
 * held by lease. A process that dies between sending and writing it down makes a message go out twice, never not at all.
 */
export function startMailer(ctx: Context, options: MailerOptions = {}): Mailer {
  const { pollEvery = 5000, leaseFor = 2 * minute, sendWithin = 1.5 * minute, graceFor = 5000 } = options;
  const { db } = ctx.postgres;
  const { smtpUrl } = ctx.config;
  const transport = smtpUrl === null ? null : openPool(smtpUrl, { connect: 15_000, greet: 15_000, answer: 30_000 });
  // What breaks between two letters shows at the next one.
  transport?.on('error', (error) => ctx.log.debug('A connection to the mail server broke', { error: error.message }));
  const channels = transport ? (['mail', 'webhook'] as const) : (['webhook'] as const);
  const sender = startSender(ctx, {
    channel: 'outbox',
    atOnce,
    pollEvery,
    graceFor,
    async takeDue(capacity, start) {
      const now = ctx.now();
      const rows = await queries.takeDue(db, channels, capacity(), new Date(now), new Date(now + leaseFor));
      for (const row of rows) start(() => deliver(ctx, transport, row, sendWithin, sender.isStopping));
      return rows.length > 0;
    },
  });
  sender.cut.addEventListener('abort', () => transport?.close());

  return {
    async close() {
      await sender.close();
      transport?.close();
    },
  };
}

/** Tries one message and writes down what came of it. Never throws: a row that cannot be written stays leased and is tried again. */
async function deliver(ctx: Context, transport: Transporter | null, row: OutboxRecord, within: number, isStopping: () => boolean): Promise<null> {
  const { db } = ctx.postgres;
  const log = ctx.log.child({ message: row.id, kind: row.kind, channel: row.channel });
  try {
    try {
      await inTime(send(ctx, transport, row), within);
      await queries.markSent(db, row.id, new Date(ctx.now()));
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      if (isStopping() && !error.forGood) {
        await queries.giveBack(db, row);
        return null;
      }
      const now = ctx.now();
      const again = error.forGood ? null : nextTry(row.attempts, row.notBefore.getTime(), now);
      if (again !== null) {
        log.info('A message did not get through and will be tried again', { attempts: row.attempts, reason: error.message });
        await queries.markRetry(db, row, error.message, new Date(again));
        return null;
      }
      log.warn('A message did not get through and is given up', { attempts: row.attempts, reason: error.message });
      await queries.markFailed(db, row, error.message, new Date(now));
    }
  } catch (error) {
    log.error('What came of a message could not be written down; it will be tried again', { error });
  }
  // The next attempt is at least a minute away: the poll finds it.
  return null;
}

/** Throws `Undelivered`, whatever happens. */
async function send(ctx: Context, transport: Transporter | null, row: OutboxRecord): Promise<string> {
  try {
    return await handOver(ctx, transport, row);
  } catch (error) {
    if (error instanceof Undelivered) throw error;
    ctx.log.error('A message could not be made', { message: row.id, kind: row.kind, error });
    throw new Undelivered('the message could not be made', true);
  }
}

async function handOver(ctx: Context, transport: Transporter | null, row: OutboxRecord): Promise<string> {
  // Sealed by ourselves, so that what is inside has the shape it was given.
  const message: unknown = JSON.parse(ctx.secrets.open('outbox', row.message));
  if (row.channel === 'webhook') return post(ctx, { ...(message as { url: string; body: string; secret: string }), id: row.id });
  if (!transport) throw new Undelivered('no mail server', false);
  return sendLetter(ctx.config, transport, row.id, message as Letter);
}

/** Gives up waiting after `ms`; what is waited for may still happen. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Undelivered(`no answer within ${Math.round(ms / 1000)} s`, false)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
