import type { Transporter } from 'nodemailer';
import type { Context } from '../context';
import { startSender } from '../kit/outbox';
import type { MailContent } from './mailContent';
import { post } from './post';
import * as queries from './queries';
import type { OutboxRecord } from './queries';
import type { Robot } from './robots';
import { openPool, sendMail } from './smtp';
import { Undelivered } from './undelivered';

export type MailerOptions = {
  /** In milliseconds, like the following. */
  readonly pollEvery?: number;
  /** How long one message may take before another process may retry it. Longer than `sendWithin`. */
  readonly leaseFor?: number;
  readonly sendWithin?: number;
  /** Time for messages being sent when the mailer is closed. */
  readonly graceFor?: number;
};

export type Mailer = {
  /** Leases nothing more, and waits briefly for messages being sent. */ readonly close: () => Promise<void>;
};

const minute = 60_000;
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute, 360 * minute, 720 * minute] as const;
/** A message is retried for a day after it was due; then it is outdated. */
export const tryFor = 24 * 60 * minute;
const atOnce = 5;

/** Time of the next attempt after attempt number `attempts` failed; null after one day, with the last attempt at the end of that day. */
export function nextTry(attempts: number, due: number, now: number): number | null {
  const last = due + tryFor;
  if (now >= last) return null;
  return Math.min(now + (pauses[Math.min(attempts, pauses.length) - 1] ?? minute), last);
}

/**
 * Sends the messages in the outbox until it is closed. Several processes may run it: rows are claimed with `SKIP LOCKED` and held by lease. If a process dies
 * between sending a message and recording it, the message is sent twice; it is never lost.
 */
export function startMailer(ctx: Context, options: MailerOptions = {}): Mailer {
  const { pollEvery = 5000, leaseFor = 2 * minute, sendWithin = 1.5 * minute, graceFor = 5000 } = options;
  const { db } = ctx.postgres;
  const { smtpUrl } = ctx.config;
  const transport = smtpUrl === null ? null : openPool(smtpUrl, { connect: 15_000, greet: 15_000, response: 30_000 });
  // A connection error between two mails shows again with the next one.
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

/** Makes one attempt and records the result. Never throws: a row that cannot be written stays leased and is retried. */
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
  // The next attempt is at least a minute away and is found by polling.
  return null;
}

/** Converts any error to `Undelivered`. */
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
  // Encrypted by this program, so that the content has the expected type.
  const message: unknown = JSON.parse(ctx.secrets.open('outbox', row.message));
  if (row.channel === 'webhook') return post(ctx, { ...(message as { url: string; body: string; secret: string; robot?: Robot }), id: row.id });
  if (!transport) throw new Undelivered('no mail server', false);
  return sendMail(ctx.config, transport, row.id, message as MailContent);
}

/** Stops waiting after `ms`; the work itself is not cancelled. */
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
