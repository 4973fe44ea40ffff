import { urgentTopics } from '../../../contract/contacts/schemas';
import type { ContactTopic } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { mailWorks, queueWebhook, queueMail } from '../../mail';
import type { MailContent } from '../../mail';
import { unsubscribeUrl } from './links';
import * as queries from './queries';
import type { ContactRecord, Db } from './queries';
import { quietUntil } from './quietHours';
import { contactMessages } from './messages';

/** The content of a notice in one language. */
export type NoticeMessage = Pick<MailContent, 'subject' | 'paragraphs' | 'facts' | 'action'>;

export type ContactNotice = {
  readonly topic: ContactTopic;
  /** Excludes contacts who subscribe to this topic, because they receive the same notice under it. */
  readonly exceptSubscribersOf?: ContactTopic;
  /** Email addresses, in lower case, that receive the notice by other means. */
  readonly exceptMail?: ReadonlySet<string>;
  /** The site the notice is about; absent for notices about the whole installation. */
  readonly site?: { readonly id: string; readonly name: string };
  readonly message: (locale: Locale) => NoticeMessage;
};

/**
 * Whether a contact receives notices about a site. Notices that belong to no site (a new owner, an order that is due) go only to contacts for all sites: a
 * contact for some sites may well be an outsider.
 */
export const concerns = (contact: Pick<ContactRecord, 'siteIds'>, siteId: string | null): boolean =>
  contact.siteIds === null || (siteId !== null && contact.siteIds.includes(siteId));

/** The channels through which a contact can currently be reached for a topic: subscribed, with an address, and the mail address confirmed. */
export function waysTo(
  ctx: Pick<Context, 'config'>,
  contact: ContactRecord,
  topic: ContactTopic,
): { mail: string | null; webhook: { url: string; sealed: string } | null } {
  const chosen = contact.subscriptions[topic] ?? [];
  const mail = chosen.includes('mail') && contact.emailVerifiedAt !== null && mailWorks(ctx.config) ? contact.email : null;
  const { webhook, webhookSecret } = contact;
  return { mail, webhook: chosen.includes('webhook') && webhook !== null && webhookSecret !== null ? { url: webhook, sealed: webhookSecret } : null };
}

/** How many contacts would currently receive a notice of a topic about a site. */
export async function countHearers(ctx: Pick<Context, 'config'>, db: Db, topic: ContactTopic, siteId: string): Promise<number> {
  const hears = (contact: ContactRecord): boolean => {
    const { mail, webhook } = waysTo(ctx, contact, topic);
    return concerns(contact, siteId) && (mail !== null || webhook !== null);
  };
  return (await queries.subscribersOf(db, topic)).filter(hears).length;
}

/**
 * Notifies all subscribers of a topic, in the caller's transaction if `db` is one: by mail to confirmed addresses, and by webhook. Quiet hours delay a notice
 * until they end, except for urgent topics. Returns the number of messages that will be sent.
 */
export async function notifyContacts(ctx: Context, db: Db, notice: ContactNotice): Promise<number> {
  const { topic, site, exceptSubscribersOf: other, exceptMail } = notice;
  const urgent = urgentTopics.includes(topic);
  let sent = 0;
  for (const contact of await queries.subscribersOf(db, topic)) {
    if (!concerns(contact, site?.id ?? null) || (other !== undefined && contact.subscriptions[other] !== undefined)) continue;
    const { mail, webhook } = waysTo(ctx, contact, topic);
    const until = urgent || contact.quietHours === null ? null : quietUntil(contact.quietHours, ctx.now());
    const options = { kind: `contact.${topic}`, contactId: contact.id, ...(until !== null && { notBefore: new Date(until) }) };
    const said = notice.message(contact.locale);
    const w = contactMessages[contact.locale];
    if (mail !== null && exceptMail?.has(mail.toLowerCase()) !== true) {
      const footer = w.footer(w.topic[topic]);
      const unsubscribe = urgent ? {} : { unsubscribeUrl: unsubscribeUrl(ctx, { id: contact.id, email: mail, topic }) };
      await queueMail(ctx, db, { to: mail, locale: contact.locale, ...said, footer, ...unsubscribe }, options);
      sent += 1;
    }
    if (webhook !== null) {
      const text = [...said.paragraphs, ...(said.facts ?? []).map(({ label, value }) => `${label}${w.colon}${value}`)].join('\n');
      const webhookMessage = { url: webhook.url, secret: ctx.secrets.open('webhook', webhook.sealed), topic, subject: said.subject, text };
      await queueWebhook(ctx, db, { ...webhookMessage, site: site ?? null, link: said.action?.url ?? null }, options);
      sent += 1;
    }
  }
  return sent;
}
