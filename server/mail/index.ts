import { randomUUID } from 'node:crypto';
import type { Config } from '../config';
import type { Context } from '../context';
import type { WebhookMessage, MailContent } from './mailContent';
import { inTime, tryFor } from './mailer';
import { post } from './post';
import * as queries from './queries';
import type { Db } from './queries';
import { openOnce, sendMail } from './smtp';
import { Undelivered } from './undelivered';

export type { MailContent, WebhookMessage } from './mailContent';
export { startMailer } from './mailer';
export { contactSecret } from './post';
export { countForContacts, dropWaiting, moveWaiting } from './queries';

export type QueueOptions = {
  /** Kind of the message, for the log. */ readonly kind: string;
  readonly contactId?: string;
  /** Quiet hours: not before this time. */
  readonly notBefore?: Date;
};

/** Whether this installation can send mail. */
export const mailWorks = (config: Pick<Config, 'smtpUrl'>): boolean => config.smtpUrl !== null;

/**
 * Adds a mail to the outbox, in the caller's transaction if `db` is one; a worker sends it within a second of the commit. Returns false and does nothing if the
 * installation has no mail server.
 */
export async function queueMail(ctx: Context, db: Db, letter: MailContent, options: QueueOptions): Promise<boolean> {
  if (!mailWorks(ctx.config)) return false;
  await queue(ctx, db, randomUUID(), { channel: 'mail', recipient: letter.to, content: letter }, options);
  return true;
}

/** Adds a webhook message to the outbox, in the caller's transaction if `db` is one. */
export async function queueWebhook(ctx: Context, db: Db, hook: WebhookMessage, options: QueueOptions): Promise<void> {
  const id = randomUUID();
  await queue(ctx, db, id, { channel: 'webhook', recipient: hook.url, content: sealable(ctx, id, hook) }, options);
}

/** The receiver recognizes a message sent twice by its `id`. */
const sealable = (ctx: Context, id: string, { url, secret, robot, topic, event, subject, text, site, link }: WebhookMessage) => ({
  url,
  secret,
  ...(robot && { robot }),
  body: JSON.stringify({
    id,
    topic,
    ...(event && { event: event.type, ...event.details }),
    subject,
    text,
    site,
    at: new Date(ctx.now()).toISOString(),
    url: link,
  }),
});

async function queue(
  ctx: Context,
  db: Db,
  id: string,
  { channel, recipient, content }: { channel: 'mail' | 'webhook'; recipient: string; content: object },
  { kind, contactId, notBefore }: QueueOptions,
): Promise<void> {
  const now = new Date(ctx.now());
  const message = ctx.secrets.seal('outbox', JSON.stringify(content));
  await queries.addMessage(db, { id, channel, recipient, message, kind, contactId: contactId ?? null, createdAt: now, notBefore: notBefore ?? now });
}

/** How long a person waits for a test message, in milliseconds. */
const testWithin = 15_000;

/** Result of a test, and the other side's response. */
export type Trial = { readonly delivered: boolean; readonly detail: string };

async function tried(work: Promise<string>): Promise<Trial> {
  try {
    return { delivered: true, detail: await inTime(work, testWithin) };
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error;
    return { delivered: false, detail: error.message };
  }
}

/** Sends a mail synchronously. The installation must have a mail server (`mailWorks`). */
export async function sendNow(ctx: Context, letter: MailContent): Promise<Trial> {
  if (ctx.config.smtpUrl === null) return { delivered: false, detail: 'no mail server' };
  const transport = openOnce(ctx.config.smtpUrl, { connect: 8000, greet: 8000, response: 12_000 });
  try {
    return await tried(sendMail(ctx.config, transport, randomUUID(), letter));
  } finally {
    transport.close();
  }
}

/** Posts to a webhook synchronously. */
export function postNow(ctx: Context, hook: WebhookMessage): Promise<Trial> {
  const id = randomUUID();
  return tried(post(ctx, { id, ...sealable(ctx, id, hook) }));
}

const keepFor = 30 * 24 * 3_600_000;

/** Gives up messages that could not be sent within a day, and deletes those that are a month old. */
export async function sweepOutbox(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const now = ctx.now();
  // One hour more, so that the last attempt of a sender comes first.
  const expired = await queries.expire(db, new Date(now - tryFor - 3_600_000), new Date(now));
  if (expired > 0) ctx.log.warn('Messages could not be sent within a day and are given up', { messages: expired });
  await queries.sweep(db, new Date(now - keepFor));
}
