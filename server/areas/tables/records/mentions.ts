import type { RecordReader } from '../../../../contract/tables/comments';
import { mentionedIn, mostMentions } from '../../../../contract/tables/mentions';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { Locale } from '../../../http/access';
import { createThrottle } from '../../../kit/throttle';
import { mailWorks, queueMail } from '../../../mail';
import type { NoticeMessage } from '../../contacts/notify';
import { notifyMentioned } from '../../notices';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import { labelAt } from '../core/read/label';
import { mayRead } from '../core/read/links';
import { fromTable } from '../core/read/readContext';
import { asSql, newReadContext } from '../core/read/statement';
import type { TableContext } from '../core/tableContext';
import { isKeepable } from '../core/values/texts';
import { offeredPeople, roleNow } from '../core/write/lookups';
import type { Tx } from '../core/write/types';
import { recipientsOf } from './commentQueries';
import type { MailRecipient } from './commentQueries';

/** Maximum number of people checked per search. People whose access rules hide the record are not among the results. */
const mostCandidates = 100;

/** Comments with new mentions that one person may write in an hour. */
const mentioningPerHour = 60;

/** A person gets a mail about mentions in one record at most once in this time. */
const mailEverySeconds = 3600;

type Messages = { readonly subject: (author: string, record: string) => string; readonly action: string; readonly footer: string };
const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    subject: (author, record) => `${author} 在“${record}”的评论中提到了你`,
    action: '查看评论',
    footer: '收到此邮件，是因为有人在评论中提到了你。可以在个人中心的“通知”中关闭。',
  },
  en: {
    subject: (author, record) => `${author} mentioned you in a comment on “${record}”`,
    action: 'Show the comment',
    footer: 'You get this because somebody mentioned you in a comment. You can turn it off at Profile → Notifications.',
  },
};

/** A record's name as the reader sees it, in the bin or not; null if they may not see the record. */
async function recordNameFor(ctx: Context, context: TableContext, recordId: string): Promise<string | null> {
  if (!grantOf(context.table, context.reader, 'read').allowed) return null;
  const scope = await newReadContext(ctx, context);
  const label = labelAt(scope);
  const text = `SELECT ${label.sql} AS name FROM ${fromTable(scope)} WHERE ${scope.row}.id = ${scope.params.bind(recordId, 'uuid')} AND ${mayRead(scope)}`;
  const [row] = (await ctx.postgres.db.execute(asSql(text, scope.params.values))).rows as { name: string | null }[];
  return row ? label.show(row.name) : null;
}

/** Somebody who may read a record: their id, and the name by which they know the record. `mail`: where to send a mail, too; null: nowhere. */
export type Mentioned = { readonly userId: string; readonly recordName: string; readonly mail: MailRecipient | null };

/**
 * The people whom a text mentions and `before` did not. Throws `invalid_fields`, in the same way for people who do not exist and for those who may not read
 * the record: a mention must not reveal who has an account. Throws `too_many_requests` after many comments of the same author.
 */
export async function newlyMentioned(ctx: Context, context: TableContext, recordId: string, text: string, before: string): Promise<Mentioned[]> {
  const all = mentionedIn(text);
  if (all.length > mostMentions) fail('invalid_fields', { fields: { text: { code: 'out_of_range', max: mostMentions } } });
  const earlier = new Set(mentionedIn(before));
  const people: Omit<Mentioned, 'mail'>[] = [];
  for (const userId of all) {
    if (earlier.has(userId)) continue;
    const role = await roleNow(ctx.postgres.db, context.model.siteId, userId);
    const recordName = role && (await recordNameFor(ctx, { ...context, reader: { role, userId } }, recordId));
    people.push(recordName === null ? failField('text', 'unknown') : { userId, recordName });
  }
  const others = people.flatMap(({ userId }) => (userId === context.reader.userId ? [] : [userId]));
  if (others.length > 0) await createThrottle(ctx).limit(`mentions by ${context.reader.userId}`, mentioningPerHour, 3600);
  const mails = await mailRecipients(ctx, recordId, others);
  return people.map((person) => ({ ...person, mail: mails.get(person.userId) ?? null }));
}

/**
 * The people who get a mail about a mention: they have a confirmed address, have not turned these mails off, and got none about this record lately. A comment
 * that cannot be stored afterwards counts too.
 */
async function mailRecipients(ctx: Context, recordId: string, people: readonly string[]): Promise<Map<string, MailRecipient>> {
  const recipients = new Map<string, MailRecipient>();
  if (!mailWorks(ctx.config)) return recipients;
  const throttle = createThrottle(ctx);
  for (const { id, email, locale } of await recipientsOf(ctx.postgres.db, people))
    if ((await throttle.count(`mention ${id} ${recordId}`, mailEverySeconds)) === 1) recipients.set(id, { email, locale });
  return recipients;
}

/** A comment that mentions people. */
export type MentioningComment = {
  readonly id: string;
  readonly recordId: string;
  readonly author: { readonly id: string; readonly name: string };
  readonly site: { readonly id: string; readonly name: string };
};

/** Writes the notices and mails of a comment in its transaction, none to its author. Returns the ids of those notified, for `publishNotices`. */
export async function notifyOfMention(ctx: Context, tx: Tx, table: TableContext['table'], comment: MentioningComment, people: readonly Mentioned[]) {
  const { site, author, recordId } = comment;
  const place = new URLSearchParams({ table: table.id, record: recordId, part: 'comments' });
  const messageFor =
    (recordName: string) =>
    (locale: Locale): NoticeMessage => ({
      subject: messages[locale].subject(author.name, recordName),
      paragraphs: [`${site.name} · ${table.title}`],
      action: { label: messages[locale].action, url: `${ctx.config.publicUrl}/site/${site.id}/table/records?${place.toString()}` },
    });
  const others = people.filter(({ userId }) => userId !== author.id);
  await notifyMentioned(
    ctx,
    tx,
    others.map(({ userId, recordName }) => ({ userId, actorId: author.id, commentId: comment.id, siteId: site.id, message: messageFor(recordName) })),
  );
  for (const { recordName, mail } of others) {
    if (mail === null) continue;
    const letter = { to: mail.email, locale: mail.locale, ...messageFor(recordName)(mail.locale), footer: messages[mail.locale].footer };
    await queueMail(ctx, tx, letter, { kind: 'tables.mention' });
  }
  return others.map(({ userId }) => userId);
}

/** Other people who may read a record, found by name, at most `limit`. `seesPictures`: whether the reader may see the pictures of people without a role on the site. */
export async function otherReaders(
  ctx: Context,
  context: TableContext,
  recordId: string,
  { q = '', limit, seesPictures }: { readonly q?: string | undefined; readonly limit: number; readonly seesPictures: boolean },
): Promise<RecordReader[]> {
  const search = q.trim();
  if (!isKeepable(search)) return [];
  const found: RecordReader[] = [];
  for (const { id, name, role, isMember, avatarVersion } of await offeredPeople(ctx.postgres.db, context.model.siteId, search, mostCandidates)) {
    if (found.length >= limit) break;
    const reader: Reader = { role, userId: id };
    if (id === context.reader.userId || !(await maySee(ctx, { ...context, reader }, recordId))) continue;
    const hasPicture = avatarVersion !== null && (isMember || seesPictures);
    found.push({ id, name, avatar: hasPicture ? `/api/acc/user/${id}/avatar?v=${avatarVersion}` : null });
  }
  return found;
}

/** Whether a reader may see a record that exists; without a query if their rule has no filter. */
async function maySee(ctx: Context, context: TableContext, recordId: string): Promise<boolean> {
  const { allowed, filter } = grantOf(context.table, context.reader, 'read');
  return allowed && (filter === null || (await recordNameFor(ctx, context, recordId)) !== null);
}
