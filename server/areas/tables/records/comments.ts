import type { FastifyInstance } from 'fastify';
import { may, mayOnSite } from '../../../../contract/permissions';
import { mentionedIn } from '../../../../contract/tables/mentions';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { RecordComment } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { publishNotices, removeMentionNotices } from '../../notices';
import { requireGrant } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { TableContext } from '../core/tableContext';
import type { Tx } from '../core/write/types';
import * as queries from './commentQueries';
import type { WrittenComment } from './commentQueries';
import { newlyMentioned, notifyOfMention, otherReaders } from './mentions';
import type { Mentioned } from './mentions';
import { requireVisible } from './target';

const mostComments = 1000;

type Caller = {
  readonly site: SiteAccess;
  readonly session: SessionInfo;
  readonly params: { readonly table: string; readonly id: string };
};

/** The table as the caller reads it, if they may see the record (in the bin as well). */
async function commentContextOf(ctx: Context, { site, session, params }: Caller): Promise<TableContext> {
  const model = await siteModel(ctx, site.id);
  const table = tableOf(model, params.table);
  const reader = { role: site.role, userId: session.userId };
  requireGrant(table, reader, 'read');
  const context = { model, table, reader, timeZone: site.row.timeZone };
  await requireVisible(ctx, context, params.id);
  return context;
}

const toComment = ({ row, by }: WrittenComment, userId: string, names: ReadonlyMap<string, string>): RecordComment => ({
  id: row.id,
  text: row.text,
  mentions: mentionedIn(row.text).flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  }),
  revision: row.revision,
  by,
  own: row.author === userId,
  at: row.at.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
});

/** Comments of a record as the caller sees them: all, or the one with an id. */
async function commentsFor(ctx: Context, { session, params }: Caller, { table }: TableContext, id?: string): Promise<RecordComment[]> {
  const { db } = ctx.postgres;
  const found = await queries.commentsOf(db, table.id, params.id, id);
  const names = await queries.namesOf(db, [...new Set(found.flatMap(({ row }) => mentionedIn(row.text)))]);
  return found.map((one) => toComment(one, session.userId, names));
}
const commentFor = async (ctx: Context, call: Caller, context: TableContext, id: string): Promise<RecordComment> =>
  (await commentsFor(ctx, call, context, id))[0] ?? fail('not_found');

const notify = (ctx: Context, tx: Tx, { site, session, params }: Caller, { table }: TableContext, id: string, people: readonly Mentioned[]) => {
  const author = { id: session.userId, name: session.displayName };
  return notifyOfMention(ctx, tx, table, { id, recordId: params.id, author, site: { id: site.id, name: site.row.name } }, people);
};

/** Announces a change of a comment to open drawers, and to the bells of the people whose notices changed. */
function publish(ctx: Context, { site, session, params }: Caller, { table }: TableContext, notified: readonly string[]): void {
  ctx.live.publish({ type: 'records', siteId: site.id, tableId: table.id, ids: [params.id], by: session.userId });
  publishNotices(ctx, notified);
}

/** Changes text or state of a comment, and the notices of the people whom the text now mentions or no longer mentions. */
async function changeComment(
  ctx: Context,
  call: Caller,
  context: TableContext,
  before: WrittenComment['row'],
  change: { readonly text?: string | undefined; readonly resolved?: boolean | undefined; readonly revision: () => number },
): Promise<void> {
  const text = change.text === undefined ? undefined : { text: change.text, revision: change.revision() };
  // Resolving a comment again does not change the time.
  const resolvedAt = change.resolved === undefined ? undefined : change.resolved ? (before.resolvedAt ?? new Date(ctx.now())) : null;
  if (text === undefined && resolvedAt === undefined) return;
  const failStale = async () => fail('stale_revision', { current: await commentFor(ctx, call, context, before.id) });
  if (text && text.revision !== before.revision) return failStale();
  const added = text ? await newlyMentioned(ctx, context, call.params.id, text.text, before.text) : [];
  const remaining = text ? mentionedIn(text.text) : [];
  const removed = text ? mentionedIn(before.text).filter((id) => !remaining.includes(id)) : [];
  const notified = await ctx.postgres.db.transaction(async (tx) => {
    const done = await queries.updateComment(tx, before.id, { ...(text && { text }), ...(resolvedAt !== undefined && { resolvedAt }) });
    if (!done) return null;
    const gone = removed.length > 0 ? await removeMentionNotices(tx, before.id, removed) : [];
    return [...gone, ...(await notify(ctx, tx, call, context, before.id, added))];
  });
  if (notified === null) return failStale();
  publish(ctx, call, context, notified);
}

/**
 * Comments on a record, for everybody who may read it, with or without write permission. They are announced as a change of the record, so that open
 * drawers reload; mentioned people get a notice and a mail.
 */
export function registerComments(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const oneOf = async ({ table }: TableContext, recordId: string, id: string, tx: Pick<Tx, 'select'> = db): Promise<WrittenComment['row']> =>
    ((await queries.commentsOf(tx, table.id, recordId, id))[0] ?? fail('not_found')).row;
  const checkMayRemove = ({ author }: WrittenComment['row'], { site, session }: Caller): void => {
    if (author !== session.userId && !mayOnSite(site.role, 'tables.design')) fail('forbidden');
  };

  route(app, ctx, endpoints.recordReaders, async (call) => {
    const { query, params, session } = call;
    return otherReaders(ctx, await commentContextOf(ctx, call), params.id, { ...query, seesPictures: may(session.role, 'people.read') });
  });

  route(app, ctx, endpoints.comments, async (call) => commentsFor(ctx, call, await commentContextOf(ctx, call)));

  route(app, ctx, endpoints.addComment, async (call) => {
    const { params, body, site, session } = call;
    const context = await commentContextOf(ctx, call);
    const { table } = context;
    if ((await queries.countComments(db, table.id, params.id)) >= mostComments) fail('conflict');
    const people = await newlyMentioned(ctx, context, params.id, body.text, '');
    const row = { siteId: site.id, tableId: table.id, recordId: params.id, text: body.text, author: session.userId, at: new Date(ctx.now()) };
    const { id, notified } = await db.transaction(async (tx) => {
      const created = await queries.insertComment(tx, row);
      return { id: created, notified: await notify(ctx, tx, call, context, created, people) };
    });
    publish(ctx, call, context, notified);
    return commentFor(ctx, call, context, id);
  });

  route(app, ctx, endpoints.changeComment, async (call) => {
    const { params, body, session } = call;
    const context = await commentContextOf(ctx, call);
    const before = await oneOf(context, params.id, params.comment);
    if (body.text !== undefined && before.author !== session.userId) fail('forbidden');
    await changeComment(ctx, call, context, before, { ...body, revision: () => call.ifMatch() });
    return commentFor(ctx, call, context, before.id);
  });

  route(app, ctx, endpoints.removeComment, async (call) => {
    const { params, site } = call;
    const context = await commentContextOf(ctx, call);
    const row = await oneOf(context, params.id, params.comment);
    checkMayRemove(row, call);
    const notified = await db.transaction(async (tx) => {
      await queries.removal.store(ctx, tx, { siteId: site.id, id: row.id, by: call.session.userId });
      const people = await removeMentionNotices(tx, row.id);
      await queries.deleteComment(tx, row.id);
      return people;
    });
    publish(ctx, call, context, notified);
  });

  route(app, ctx, endpoints.restoreComment, async (call) => {
    const { params, site } = call;
    const context = await commentContextOf(ctx, call);
    if ((await queries.countComments(db, context.table.id, params.id)) >= mostComments) fail('conflict');
    const row = await db.transaction(async (tx) => {
      await queries.removal.restore(ctx, tx, { siteId: site.id, id: params.comment, by: call.session.userId });
      const restored = await oneOf(context, params.id, params.comment, tx);
      checkMayRemove(restored, call);
      return restored;
    });
    publish(ctx, call, context, mentionedIn(row.text));
    return commentFor(ctx, call, context, row.id);
  });
}
