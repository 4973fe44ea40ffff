import type { FastifyInstance } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { mostNotices, noticeKinds, noticeEndpoints as endpoints } from '../../../contract/notices/schemas';
import type { NoticeKind, StoredNotices } from '../../../contract/notices/schemas';
import { mayOnSite } from '../../../contract/permissions';
import type { SiteAction } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { Locale, SessionInfo } from '../../http/access';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { DAY } from '../../zone';
import type { Dependants } from '../../kit/removals';
import type { Area } from '../area';
import type { NoticeMessage } from '../contacts';
import { peopleWith, sitesOf } from '../sites';
import * as queries from './queries';
import { notices } from './schema';

/** The permission on the site that a reader of a notice needs. */
const needs: Readonly<Record<NoticeKind, SiteAction>> = {
  alert: 'analytics.read',
  uptime: 'site.read',
  mention: 'tables.use',
  release: 'site.read',
  filing: 'site.read',
  crawl: 'crawler.read',
  country_block: 'site.read',
};
/** Notices are deleted after this time. */
const retentionMs = 90 * DAY;

export type SiteNotice = { readonly kind: NoticeKind; readonly siteId: string; readonly message: (locale: Locale) => NoticeMessage };
/** A notice to one person about a comment that mentions them. */
export type MentionNotice = Omit<SiteNotice, 'kind'> & { readonly userId: string; readonly commentId: string; /** The author. */ readonly actorId: string };

/** The people who get notices of a kind about a site: all who may currently read what they are about. */
export const countReaders = async (ctx: Context, kind: NoticeKind, siteId: string): Promise<number> =>
  (await peopleWith(ctx.postgres.db, siteId, needs[kind])).length;

/**
 * Puts a notice behind the bell of everybody who may read what it is about, in the caller's transaction if `db` is one; `publishNotices` then tells them.
 * Returns the ids of these people.
 */
export async function notifyPeople(ctx: Pick<Context, 'config' | 'now'>, db: Pick<NodePgDatabase, 'select' | 'insert'>, notice: SiteNotice): Promise<string[]> {
  const people = await peopleWith(db, notice.siteId, needs[notice.kind]);
  if (people.length === 0) return [];
  const row = rowOf(ctx, notice);
  await queries.insertNotices(
    db,
    people.map((userId) => ({ ...row, userId })),
  );
  return people;
}

/** Puts a notice behind the bell of one person, as `notifyPeople` does. The caller has checked that they may read it. */
export const notifyPerson = async (
  ctx: Pick<Context, 'config' | 'now'>,
  db: Pick<NodePgDatabase, 'insert'>,
  userId: string,
  notice: SiteNotice,
): Promise<void> => void (await queries.insertNotices(db, [{ ...rowOf(ctx, notice), userId }]));

/** The part of a notice that is the same for all who get it. */
function rowOf(ctx: Pick<Context, 'config' | 'now'>, { kind, siteId, message }: SiteNotice) {
  const texts = { 'zh-CN': message('zh-CN'), en: message('en') };
  const titled = ({ subject, paragraphs }: NoticeMessage) => ({ title: subject, text: paragraphs.join('\n') });
  const { publicUrl } = ctx.config;
  const url = texts.en.action?.url ?? '';
  return {
    siteId,
    kind,
    message: { 'zh-CN': titled(texts['zh-CN']), en: titled(texts.en) },
    path: url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : `/site/${siteId}`,
    at: new Date(ctx.now()),
  };
}

/** Adds notices for people whom a comment mentions; the caller has checked that they may read it. `publishNotices` then announces them. */
export async function notifyMentioned(
  ctx: Pick<Context, 'config' | 'now'>,
  db: Pick<NodePgDatabase, 'insert'>,
  mentions: readonly MentionNotice[],
): Promise<void> {
  if (mentions.length === 0) return;
  await queries.insertNotices(
    db,
    mentions.map(({ userId, actorId, commentId, ...notice }) => ({ ...rowOf(ctx, { ...notice, kind: 'mention' }), userId, actorId, commentId })),
  );
}

/** The notices of a comment, which are removed and restored with it. */
export const noticesOfComment: Dependants = { table: notices, of: notices.commentId };

/** Deletes the notices of a comment to these people, or to all. Returns the ids of the people who had one. */
export const removeMentionNotices = (db: Pick<NodePgDatabase, 'delete'>, commentId: string, people?: readonly string[]): Promise<string[]> =>
  queries.deleteOfComment(db, commentId, people);

/** After the transaction of `notifyPeople`: their open consoles fetch the notice. */
export function publishNotices(ctx: Pick<Context, 'live'>, people: readonly string[]): void {
  for (const userId of people) ctx.live.publish({ type: 'notice', userId });
}

async function ownNotices(ctx: Context, session: SessionInfo, locale: Locale): Promise<StoredNotices> {
  const sites = await sitesOf(ctx, session);
  const idsFor = (kind: NoticeKind) => sites.filter((site) => mayOnSite(site.role, needs[kind])).map(({ id }) => id);
  const visible = Object.fromEntries(noticeKinds.map((kind) => [kind, idsFor(kind)])) as Record<NoticeKind, string[]>;
  const found = await queries.noticesOf(ctx.postgres.db, session.userId, visible, mostNotices);
  const rows = found.map(({ id, kind, siteId, message, path, at, readAt }) => ({
    id,
    kind,
    siteId,
    ...message[locale],
    path,
    at: at.toISOString(),
    read: readAt !== null,
  }));
  return { rows, unread: rows.filter(({ read }) => !read).length };
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.notices, ({ session, locale }) => ownNotices(ctx, session, locale));
  route(app, ctx, endpoints.readNotices, async ({ session, locale, body }) => {
    const ids = body.ids && [...new Set(body.ids)];
    if (ids && (await queries.countOwn(db, session.userId, ids)) < ids.length) return fail('not_found');
    await queries.setRead(db, session.userId, ids, new Date(ctx.now()));
    // The person's other tabs follow.
    publishNotices(ctx, [session.userId]);
    return ownNotices(ctx, session, locale);
  });
}

export const area: Area = {
  register,
  schedules: [{ name: 'notices.sweep', every: DAY, run: async (ctx) => void (await queries.deleteBefore(ctx.postgres.db, new Date(ctx.now() - retentionMs))) }],
  // A deleted person remains as a row, so the foreign key erases nothing.
  erasePerson: async (tx, userId) => void (await queries.eraseNoticesOf(tx, userId)),
  exportPerson: async (db, userId) => ({
    siteNotices: (await queries.allNoticesOf(db, userId)).map(({ kind, siteId, message, path, at, readAt }) => ({ kind, siteId, message, path, at, readAt })),
  }),
};
