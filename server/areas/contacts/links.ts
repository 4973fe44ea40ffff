import { z } from 'zod';
import { contactTopics, urgentTopics } from '../../../contract/contacts/schemas';
import type { ContactTopic } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import { sameSecret } from '../../secrets';
import { record } from '../audit';
import type { Actor } from '../audit';
import * as queries from './queries';
import type { ContactRecord, Db } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

/** The purpose of a link in a contact's mail. */
export type LinkMeaning = { readonly kind: 'verify' | 'unsubscribe'; readonly email: string; readonly topic: ContactTopic | null };

const verifyFor = 24 * 3_600_000;
const linkTo = ({ config }: Pick<Context, 'config'>, token: string): string => `${config.publicUrl}/sign/contact#t=${token}`;

/** A one-time link that confirms the contact's current address. Earlier links stay valid, so that the link in a delayed mail still works. */
export async function makeVerifyLink(ctx: Context, db: Db, { id, email }: { id: string; email: string }): Promise<{ url: string; expiresAt: Date }> {
  const token = makeToken();
  const now = ctx.now();
  const expiresAt = new Date(now + verifyFor);
  await queries.insertLink(db, { tokenHash: hashToken(token), contactId: id, email, createdAt: new Date(now), expiresAt });
  return { url: linkTo(ctx, token), expiresAt };
}

type Stop = { readonly id: string; readonly email: string; readonly topic: ContactTopic };

/**
 * A link that stops one topic by mail. Every mail contains one, and it must work for years (RFC 8058 relies on it), so nothing is stored: it is signed by the
 * installation, and becomes invalid when the contact's address changes.
 */
export const unsubscribeUrl = (ctx: Pick<Context, 'config' | 'secrets'>, stop: Stop): string =>
  linkTo(ctx, `u.${stop.id}.${stop.topic}.${stopSignature(ctx, stop)}`);

const stopSignature = ({ secrets }: Pick<Context, 'secrets'>, { id, email, topic }: Stop): string =>
  secrets.mac('contact-unsubscribe', `${id}\n${topic}\n${email.toLowerCase()}`);

const StopToken = z.tuple([z.literal('u'), z.uuid(), z.enum(contactTopics), z.string()]);

async function readStop(ctx: Context, db: Db, token: string): Promise<{ contact: ContactRecord; stop: Stop } | null> {
  const parts = StopToken.safeParse(token.split('.'));
  if (!parts.success) return null;
  const [, id, topic, signature] = parts.data;
  const contact = urgentTopics.includes(topic) ? null : await queries.findContact(db, id);
  if (!contact || contact.email === null) return null;
  const stop = { id, email: contact.email, topic };
  return sameSecret(signature, stopSignature(ctx, stop)) ? { contact, stop } : null;
}

/** The purpose of a valid link, else null. */
export async function readLink(ctx: Context, db: Db, token: string): Promise<LinkMeaning | null> {
  const found = await readStop(ctx, db, token);
  if (found) return { kind: 'unsubscribe', email: found.stop.email, topic: found.stop.topic };
  const link = await queries.findLink(db, hashToken(token), new Date(ctx.now()), false);
  return link && { kind: 'verify', email: link.email, topic: null };
}

/** Executes a link; null if it is not valid (any more). An unsubscribe link may be used repeatedly; further uses change nothing. */
export function useLink(ctx: Context, token: string, actor: Actor): Promise<LinkMeaning | null> {
  const now = new Date(ctx.now());
  return ctx.postgres.db.transaction(async (tx) => {
    const found = await readStop(ctx, tx, token);
    if (found) {
      const { contact, stop } = found;
      if (await queries.stopMail(tx, contact.id, stop.topic, now))
        await record(ctx, tx, actor, { action: 'contact.unsubscribed', target: targetOf(contact), after: { topic: stop.topic } });
      return { kind: 'unsubscribe', email: stop.email, topic: stop.topic };
    }
    const link = await queries.findLink(tx, hashToken(token), now, true);
    if (!link) return null;
    const contact = await queries.verifyEmail(tx, link.contactId, now);
    await queries.deleteLinks(tx, link.contactId);
    await record(ctx, tx, actor, { action: 'contact.verified', target: targetOf(contact), after: { email: link.email } });
    return { kind: 'verify', email: link.email, topic: null };
  });
}

export const targetOf = ({ id, name }: Pick<ContactRecord, 'id' | 'name'>) => ({ kind: 'contact', id, name });
