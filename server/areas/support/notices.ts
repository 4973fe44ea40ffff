import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { queueWebhook } from '../../mail';
import { notifyContacts } from '../contacts';
import type { NoticeMessage } from '../contacts';
import { sites } from '../sites/schema';
import { editorOf, systemAuthor, wake } from './editing';
import * as queries from './queries';
import type { ConversationRow, VisitorRow } from './queries';
import { supportConversations, supportVisitors } from './schema';
import { completeSettings } from './settings';
import { webhookMessage } from './settingsCalls';
import { supportTexts } from './texts';

const c = supportConversations;
const batch = 50;
/** When a notice that failed is tried again, ms. */
const retryAfter = 5 * 60_000;
/** Characters of a message that a notice quotes. */
const quoted = 500;

export type NoticeSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'timeZone'>;
/** A wait that has lasted too long. `since`: wall-clock time; `assignee`: a name, null without one. */
type Waiting = { readonly since: string; readonly timeZone: string; readonly assignee: string | null; readonly replyMinutes: number };

/** `text`: the last message. `waiting`: the notice is about how long its author has waited. */
export const noticeOf =
  (
    ctx: Pick<Context, 'config'>,
    site: NoticeSite,
    { id, number, kind, unread, page }: ConversationRow,
    visitor: VisitorRow,
    { text, waiting }: { readonly text: string; readonly waiting?: Waiting },
  ) =>
  (locale: Locale): NoticeMessage => {
    const t = supportTexts[locale];
    const who = visitor.name || visitor.email || t.visitor;
    const quotation = text === '' ? t.notice.file : text.slice(0, quoted);
    return {
      subject: waiting ? t.overdue.subject(site.name, who) : t.notice.subject(site.name, kind, who),
      paragraphs: waiting ? [t.overdue.text(waiting.replyMinutes), quotation] : [quotation],
      facts: [
        { label: t.notice.conversation, value: `#${number}` },
        ...(waiting
          ? [
              { label: t.overdue.since, value: `${waiting.since} (${waiting.timeZone})` },
              { label: t.csv.agent, value: waiting.assignee ?? t.overdue.unassigned },
            ]
          : []),
        { label: t.notice.unread, value: String(unread) },
        ...(page.url === '' ? [] : [{ label: t.notice.page, value: page.url }]),
        ...(kind === 'form' && visitor.email !== '' ? [{ label: t.notice.email, value: visitor.email }] : []),
        ...(kind === 'form' && visitor.phone !== '' ? [{ label: t.notice.phone, value: visitor.phone }] : []),
      ],
      action: { label: t.notice.action, url: `${ctx.config.publicUrl}/site/${site.id}/cs?conversation=${id}` },
    };
  };

/** A notice for the webhook of a site. Robots of chat programs are used in China. */
export function noticeText(message: (locale: Locale) => NoticeMessage, webhook: StoredSupportSettings['notify']['webhook']) {
  const { subject, paragraphs, facts = [], action } = message(webhook?.kind === 'json' ? 'en' : 'zh-CN');
  const text = [...paragraphs, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n');
  return { subject, text, link: action?.url ?? null };
}

/** What a program needs to know about the conversation, in the signed JSON of the site's webhook. */
export const eventOf = async (tx: queries.Db, type: 'unread' | 'overdue', row: ConversationRow) => ({
  type: `support.${type}`,
  details: {
    conversation: {
      id: row.id,
      number: row.number,
      kind: row.kind,
      priority: row.priority,
      unread: row.unread,
      waitingSince: row.waitingSince?.toISOString() ?? null,
      assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: await queries.nameOf(tx, row.assigneeId) },
    },
  },
});

/** Notifies of messages that no agent has read in time. The due time is cleared in the transaction that queues the messages, so each is sent once. */
export async function sendDueNotices(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  for (;;) {
    const due = await db
      .select({ row: c, visitor: supportVisitors, site: { id: sites.id, name: sites.name, timeZone: sites.timeZone } })
      .from(c)
      .innerJoin(supportVisitors, eq(supportVisitors.id, c.visitorId))
      .innerJoin(sites, eq(sites.id, c.siteId))
      .where(and(isNotNull(c.notifyAt), lte(c.notifyAt, new Date(ctx.now()))))
      .orderBy(asc(c.notifyAt))
      .limit(batch);
    for (const { row, visitor, site } of due)
      try {
        await sendNotice(ctx, site, row.id, visitor);
      } catch (error) {
        // The notices of other sites do not wait for this one.
        ctx.log.error('A notice of customer service could not be queued', { siteId: site.id, error });
        await db
          .update(c)
          .set({ notifyAt: new Date(ctx.now() + retryAfter) })
          .where(and(eq(c.id, row.id), isNotNull(c.notifyAt)));
      }
    if (due.length < batch) return;
  }
}

async function sendNotice(ctx: Context, site: NoticeSite, id: string, visitor: VisitorRow): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const row = await queries.lockConversation(tx, site.id, id);
    // Somebody has read it, or another process has sent the notice.
    if (!row || row.notifyAt === null || row.notifyAt.getTime() > ctx.now()) return;
    await queries.updateConversation(tx, id, { notifyAt: null });
    if (row.unread === 0 || row.state === 'spam') return;
    const stored = await queries.findSettings(tx, site.id);
    const { notify } = completeSettings(stored?.settings ?? null, site.timeZone);
    const last = await queries.lastOfVisitor(tx, id);
    const message = noticeOf(ctx, site, row, visitor, { text: last?.file?.name ?? last?.message.body ?? '' });
    if (notify.contacts) await notifyContacts(ctx, tx, { topic: 'support', site, message });
    const { subject, text, link } = noticeText(message, notify.webhook);
    const event = await eventOf(tx, 'unread', row);
    const webhook = stored && webhookMessage(ctx, stored, { topic: 'support', event, subject, text, site: { id: site.id, name: site.name }, link });
    if (webhook) await queueWebhook(ctx, tx, webhook, { kind: 'support.webhook' });
  });
}

/** Puts conversations whose time has come back into the lists. */
export async function wakeSnoozed(ctx: Context): Promise<void> {
  const now = new Date(ctx.now());
  const due = await ctx.postgres.db
    .select({ id: c.id, siteId: c.siteId })
    .from(c)
    .where(and(isNotNull(c.snoozedUntil), lte(c.snoozedUntil, now)))
    .limit(500);
  for (const { id, siteId } of due) {
    const changed = await ctx.postgres.db.transaction(async (tx) => {
      const row = await queries.lockConversation(tx, siteId, id);
      if (!row || row.snoozedUntil === null || row.snoozedUntil > now) return null;
      const { editor, commit } = editorOf(tx, row, now);
      if (row.state === 'snoozed') {
        editor.addEvent(systemAuthor, 'awoken');
        editor.set({ state: 'open' });
      }
      editor.set({ snoozedUntil: null });
      return commit();
    });
    if (changed) wake(ctx, changed);
  }
}
