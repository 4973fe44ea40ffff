import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { activeStates, isActive, supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { mailWorks, queueMail, queueWebhook } from '../../mail';
import { labelAt, MINUTE } from '../../zone';
import { users } from '../account/schema';
import { notifyContacts } from '../contacts';
import { peopleWith } from '../sites';
import { sites } from '../sites/schema';
import { ofHours } from './availability';
import { eventOf, noticeOf, noticeText } from './notices';
import type { NoticeSite } from './notices';
import * as queries from './queries';
import type { ConversationRow, Db } from './queries';
import { overdueSince } from './replyTime';
import { supportAgents, supportConversations as c, supportVisitors } from './schema';
import { completeSettings } from './settings';
import { webhookMessage } from './settingsCalls';
import { supportTexts } from './texts';

/** Waits of a site that are read at once. */
const batch = 100;
/** A notice that could not be queued is tried again after a time that doubles, in ms. */
const firstRetry = MINUTE;
const longestRetry = 15 * MINUTE;
/** Notices that could not be queued, by conversation. Another process, or this one after a restart, tries them at once. */
const failures = new WeakMap<Context, Map<string, { readonly attempts: number; readonly until: number }>>();
function failuresOf(ctx: Context) {
  let map = failures.get(ctx);
  if (map === undefined) {
    map = new Map();
    failures.set(ctx, map);
  }
  return map;
}
/** Waits that nobody was notified of. As the index has it. */
const unnotified = and(isNotNull(c.waitingSince), sql`${c.notifiedWait} is distinct from ${c.waitingSince}`);
const waits = and(unnotified, inArray(c.state, [...activeStates]), isNull(c.removedAt), isNull(c.mergedInto));

/**
 * Notifies of visitors who have waited longer than the site's time to answer, once per wait, and only within the hours of the site. A wait that becomes overdue
 * while these notices are off causes none later. Runs on a schedule.
 */
export async function sendOverdueNotices(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const failed = failuresOf(ctx);
  // Notices that missed their retry: the visitor has been answered meanwhile, or support is closed by now.
  for (const [id, { until }] of failed) if (until + longestRetry < ctx.now()) failed.delete(id);
  const rows = await db
    .selectDistinct({ id: sites.id, name: sites.name, timeZone: sites.timeZone })
    .from(c)
    .innerJoin(sites, and(eq(sites.id, c.siteId), ne(sites.state, 'deleted')))
    .where(waits);
  for (const site of rows)
    try {
      await notifyOfSite(ctx, site);
    } catch (error) {
      // The notices of other sites do not wait for those of this one, which are tried again.
      ctx.log.error('Notices of visitors who wait could not be queued', { siteId: site.id, error });
    }
}

async function notifyOfSite(ctx: Context, site: NoticeSite): Promise<void> {
  const { db } = ctx.postgres;
  const settings = completeSettings((await queries.findSettings(db, site.id))?.settings ?? null, site.timeZone);
  const since = overdueSince(settings, ctx.now());
  if (since === null) return;
  const overdue = and(eq(c.siteId, site.id), waits, lte(c.waitingSince, new Date(since)));
  if (settings.mode !== 'builtin' || !settings.notify.overdue) {
    await db.update(c).set({ notifiedWait: c.waitingSince }).where(overdue);
    return;
  }
  if (!ofHours(settings.hours, ctx.now()).open) return;
  // Skipped in this run: failed notices whose retry is not due yet, and notices that were already attempted, so that the run always ends.
  const excluded = [...failuresOf(ctx)].flatMap(([id, { until }]) => (until > ctx.now() ? [id] : []));
  for (;;) {
    const due = await db
      .select({ id: c.id })
      .from(c)
      .where(and(overdue, sql`${c.id} <> all(${sql.param(excluded)}::uuid[])`))
      .orderBy(asc(c.waitingSince))
      .limit(batch);
    for (const { id } of due) await tryNotice(ctx, site, id, since);
    if (due.length < batch) return;
    excluded.push(...due.map(({ id }) => id));
  }
}

/** Later notices do not wait for one that fails. */
async function tryNotice(ctx: Context, site: NoticeSite, id: string, since: number): Promise<void> {
  const failed = failuresOf(ctx);
  try {
    await notifyOf(ctx, site, id, since);
    failed.delete(id);
  } catch (error) {
    const attempts = failed.get(id)?.attempts ?? 0;
    failed.set(id, { attempts: attempts + 1, until: ctx.now() + Math.min(longestRetry, firstRetry * 2 ** attempts) });
    ctx.log.error('A notice of a visitor who waits could not be queued', { siteId: site.id, conversationId: id, error });
  }
}

/** The mark is set in the transaction that queues the messages: another process that waited for the lock finds it. */
async function notifyOf(ctx: Context, site: NoticeSite, id: string, since: number): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const row = await queries.lockConversation(tx, site.id, id);
    if (!row || row.waitingSince === null || row.waitingSince.getTime() > since || row.notifiedWait?.getTime() === row.waitingSince.getTime()) return;
    if (!isActive(row.state) || row.removedAt !== null || row.mergedInto !== null) return;
    await queries.updateConversation(tx, id, { notifiedWait: row.waitingSince });
    const [visitor] = await tx.select().from(supportVisitors).where(eq(supportVisitors.id, row.visitorId));
    const stored = await queries.findSettings(tx, site.id);
    if (!visitor) return;
    const { notify, hours, replyMinutes } = completeSettings(stored?.settings ?? null, site.timeZone);
    const assignee = row.assigneeId === null ? null : await queries.nameOf(tx, row.assigneeId);
    const last = await queries.lastOfVisitor(tx, id);
    const waiting = { since: labelAt(row.waitingSince.getTime(), hours.timeZone).replace('T', ' '), timeZone: hours.timeZone, assignee, replyMinutes };
    const message = noticeOf(ctx, site, row, visitor, { text: last?.file?.name ?? last?.message.body ?? '', waiting });
    const agents = mailWorks(ctx.config) ? await agentsFor(tx, row, ctx.now()) : [];
    for (const { email, locale } of agents)
      await queueMail(ctx, tx, { to: email, locale, ...message(locale), footer: footerOf(locale, row.assigneeId !== null) }, { kind: 'support.overdue' });
    if (notify.contacts) await notifyContacts(ctx, tx, { topic: 'support', site, message, exceptMail: new Set(agents.map(({ email }) => email)) });
    const { subject, text, link } = noticeText(message, notify.webhook);
    const webhook =
      stored &&
      webhookMessage(ctx, stored, { topic: 'support', event: await eventOf(tx, 'overdue', row), subject, text, site: { id: site.id, name: site.name }, link });
    if (webhook) await queueWebhook(ctx, tx, webhook, { kind: 'support.webhook' });
  });
}

const footerOf = (locale: Locale, assigned: boolean): string => supportTexts[locale].overdue[assigned ? 'footerAssigned' : 'footerOnDuty'];

/** The assignee, without one the agents who are there: those with a confirmed address who may answer visitors of the site. */
async function agentsFor(tx: Db, { siteId, assigneeId }: ConversationRow, now: number): Promise<{ readonly email: string; readonly locale: Locale }[]> {
  const a = supportAgents;
  const ids =
    assigneeId === null
      ? (
          await tx
            .select({ id: a.userId })
            .from(a)
            .where(and(eq(a.siteId, siteId), eq(a.status, 'available'), gt(a.seenAt, new Date(now - supportLimits.presence.gone * 1000))))
        ).map(({ id }) => id)
      : [assigneeId];
  const allowed = new Set(ids.length === 0 ? [] : await peopleWith(tx, siteId, 'support.reply'));
  const reachable = ids.filter((id) => allowed.has(id));
  if (reachable.length === 0) return [];
  const people = await tx
    .select({ email: users.email, locale: users.locale })
    .from(users)
    .where(and(inArray(users.id, reachable), isNotNull(users.emailVerifiedAt)))
    .orderBy(asc(users.id));
  return people.flatMap(({ email, locale }) => (email === null ? [] : [{ email, locale }]));
}
