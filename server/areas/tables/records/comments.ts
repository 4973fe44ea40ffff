import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { RecordComment } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { TableModel } from '../core/model';
import * as queries from './commentQueries';
import type { WrittenComment } from './commentQueries';
import { requireVisible } from './target';

const mostComments = 1000;

type Caller = {
  readonly site: SiteAccess;
  readonly session: SessionInfo;
  readonly params: { readonly table: string; readonly id: string };
};

const toComment = ({ row, by }: WrittenComment, userId: string): RecordComment => ({
  id: row.id,
  text: row.text,
  revision: row.revision,
  by,
  own: row.author === userId,
  at: row.at.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
});

/**
 * Comments on a record, for everybody who may read it, with or without write permission. They are announced as a change of the record, so that open
 * drawers reload. No mail is sent.
 */
export function registerComments(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  /** The table, if the caller may see the record (in the bin as well). */
  async function commentContextOf({ site, session, params }: Caller): Promise<{ table: TableModel; userId: string; tell: () => void }> {
    const model = await siteModel(ctx, site.id);
    const table = tableOf(model, params.table);
    const reader: Reader = { role: site.role, userId: session.userId };
    requireGrant(table, reader, 'read');
    await requireVisible(ctx, { model, table, reader, timeZone: site.row.timeZone }, params.id);
    const tell = (): void => ctx.live.publish({ type: 'records', siteId: site.id, tableId: table.id, ids: [params.id], by: session.userId });
    return { table, userId: session.userId, tell };
  }
  const oneOf = async (table: TableModel, recordId: string, id: string): Promise<WrittenComment> =>
    (await queries.commentsOf(db, table.id, recordId, id))[0] ?? fail('not_found');

  route(app, ctx, endpoints.comments, async (call) => {
    const { table, userId } = await commentContextOf(call);
    return (await queries.commentsOf(db, table.id, call.params.id)).map((one) => toComment(one, userId));
  });

  route(app, ctx, endpoints.addComment, async (call) => {
    const { params, body, site } = call;
    const { table, userId, tell } = await commentContextOf(call);
    if ((await queries.countComments(db, table.id, params.id)) >= mostComments) fail('conflict');
    const row = { siteId: site.id, tableId: table.id, recordId: params.id, text: body.text, author: userId, at: new Date(ctx.now()) };
    const id = await queries.insertComment(db, row);
    tell();
    return toComment(await oneOf(table, params.id, id), userId);
  });

  route(app, ctx, endpoints.changeComment, async (call) => {
    const { params, body } = call;
    const { table, userId, tell } = await commentContextOf(call);
    const before = await oneOf(table, params.id, params.comment);
    if (body.text !== undefined && before.row.author !== userId) fail('forbidden');
    const text = body.text === undefined ? undefined : { text: body.text, revision: call.ifMatch() };
    const change = {
      ...(text ? { text } : {}),
      // Resolving a comment again does not change the time.
      ...(body.resolved === undefined ? {} : { resolvedAt: body.resolved ? (before.row.resolvedAt ?? new Date(ctx.now())) : null }),
    };
    if (Object.keys(change).length > 0) {
      const done = await queries.updateComment(db, params.comment, change);
      if (!done) fail('stale_revision', { current: toComment(await oneOf(table, params.id, params.comment), userId) });
      tell();
    }
    return toComment(await oneOf(table, params.id, params.comment), userId);
  });

  route(app, ctx, endpoints.removeComment, async (call) => {
    const { params, site } = call;
    const { table, userId, tell } = await commentContextOf(call);
    const { row } = await oneOf(table, params.id, params.comment);
    if (row.author !== userId && !mayOnSite(site.role, 'tables.design')) fail('forbidden');
    await queries.deleteComment(db, row.id);
    tell();
  });
}
