import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { viewEndpoints as endpoints } from '../../../../contract/tables/views';
import type { RecordView } from '../../../../contract/tables/views';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { grantOf, requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import type { Tx } from '../core/write/types';
import { hasPublicLink, withinLinkLimit } from '../publicLinks';
import { hidesPart, storedQuery, visibleQuery } from '../core/viewQuery';
import * as queries from './viewQueries';
import type { ViewRecord } from './viewQueries';

/** Views of a table: shared ones, and per person. */
const mostShared = 100;
const mostOwn = 50;

type Caller = { readonly site: SiteAccess; readonly session: SessionInfo };
type ViewContext = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly reader: Reader;
  readonly userId: string;
  /** May create and change shared views: everybody who may write records. */ readonly shares: boolean;
  /** May lock views: everybody who may design the table. */ readonly locks: boolean;
};

const viewResponse = (context: ViewContext, view: ViewRecord): RecordView => ({
  id: view.id,
  tableId: view.tableId,
  title: view.title,
  kind: view.kind,
  scope: view.scope,
  own: view.owner === context.userId,
  position: view.position,
  query: visibleQuery(context.model, context.table, view.query, context.reader),
  revision: view.revision,
});

const isVisible = (view: ViewRecord, { userId }: ViewContext): boolean => view.scope !== 'personal' || view.owner === userId;
const mayChange = (view: Pick<ViewRecord, 'scope'>, context: ViewContext): boolean =>
  view.scope === 'personal' || (view.scope === 'shared' ? context.shares : context.locks);

/** Only those who may create public links may change a view that has one. */
const isHeld = async (tx: Tx, view: ViewRecord, { locks }: ViewContext, now: number): Promise<boolean> =>
  !locks && (await hasPublicLink(tx, view.id, new Date(now)));

async function viewContextOf(ctx: Context, { site, session }: Caller, name: string): Promise<ViewContext> {
  const model = await siteModel(ctx, site.id);
  const table = tableOf(model, name);
  const reader: Reader = { role: site.role, userId: session.userId };
  requireGrant(table, reader, 'read');
  return {
    model,
    table,
    reader,
    userId: session.userId,
    shares: grantOf(table, reader, 'update').allowed || grantOf(table, reader, 'create').allowed,
    locks: mayOnSite(site.role, 'tables.design') && (session.token === null || session.token.scopes.includes('tables:design')),
  };
}

/** Publishes a change of shared views as a change of the table's definition. */
function publishChange(ctx: Context, context: ViewContext, ...views: readonly Pick<ViewRecord, 'scope'>[]): void {
  if (views.some((view) => view.scope !== 'personal')) ctx.live.publish({ type: 'tables', siteId: context.model.siteId, tableId: context.table.id });
}

/**
 * Saved views. Personal ones are visible to their owner only (404 for others); shared ones can be changed by whoever may write records of the table,
 * locked ones by whoever may change its definition. Changes of shared views are published as changes of definitions.
 */
export function registerViews(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.views, async (call) => {
    const context = await viewContextOf(ctx, call, call.params.table);
    return (await queries.viewsOf(ctx.postgres.db, context.table.id, context.userId)).map((view) => viewResponse(context, view));
  });
  route(app, ctx, endpoints.addView, (call) => addView(ctx, call));
  route(app, ctx, endpoints.changeView, (call) => changeView(ctx, call));
  route(app, ctx, endpoints.removeView, (call) => removeView(ctx, call));
  route(app, ctx, endpoints.restoreView, (call) => restoreView(ctx, call));
}

/** Throws `forbidden` for a scope that the caller may not change, `conflict` if the table has the maximum number of views. */
async function addView(ctx: Context, call: CallOf<typeof endpoints.addView>): Promise<RecordView> {
  const context = await viewContextOf(ctx, call, call.params.table);
  return viewResponse(context, await createView(ctx, context, call.body));
}

/** Saves a view of a table for the person of the context. Throws as `addView`. */
export async function createView(ctx: Context, context: ViewContext, body: CallOf<typeof endpoints.addView>['body']): Promise<ViewRecord> {
  if (!mayChange(body, context)) fail('forbidden');
  const query = storedQuery(context.model, context.table, body.query);
  const added = await ctx.postgres.db.transaction(async (tx) => {
    await queries.oneAtATime(tx, context.table.id);
    const all = await queries.lockViews(tx, context.table.id);
    checkLimit(all, { scope: body.scope, owner: context.userId });
    const position = Math.max(-1, ...all.map((view) => view.position)) + 1;
    return queries.insertView(tx, {
      siteId: context.model.siteId,
      tableId: context.table.id,
      title: body.title,
      kind: body.kind,
      scope: body.scope,
      owner: context.userId,
      position,
      query,
      createdAt: new Date(ctx.now()),
    });
  });
  publishChange(ctx, context, added);
  return added;
}

/** Throws `stale_revision` with the current view if others have changed it since. */
async function changeView(ctx: Context, call: CallOf<typeof endpoints.changeView>): Promise<RecordView> {
  const { body, params } = call;
  const revision = call.ifMatch();
  const context = await viewContextOf(ctx, call, params.table);
  const { before, after } = await ctx.postgres.db.transaction(async (tx) => {
    await queries.oneAtATime(tx, context.table.id);
    const all = await queries.lockViews(tx, context.table.id);
    const view = all.find((one) => one.id === params.view && isVisible(one, context)) ?? fail('not_found');
    if (!mayChange(view, context) || !mayChange({ scope: body.scope ?? view.scope }, context)) fail('forbidden');
    // Only its creator may make a shared view personal.
    if (body.scope === 'personal' && view.scope !== 'personal' && view.owner !== context.userId) fail('forbidden');
    if ((body.query !== undefined || body.kind !== undefined) && (await isHeld(tx, view, context, ctx.now()))) fail('forbidden');
    if (view.revision !== revision) fail('stale_revision', { current: viewResponse(context, view) });
    if (body.query && hidesPart(context.model, context.table, view.query, context.reader)) fail('forbidden');
    if (body.position !== undefined) await place(tx, all, view, body.position, context);
    const updated = await queries.updateView(tx, view.id, {
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.kind === undefined ? {} : { kind: body.kind }),
      ...(body.scope === undefined ? {} : { scope: body.scope }),
      ...(body.query === undefined ? {} : { query: storedQuery(context.model, context.table, body.query) }),
    });
    return { before: view, after: updated };
  });
  publishChange(ctx, context, before, after);
  return viewResponse(context, after);
}

/** Throws `conflict` if there is no room for one more view of this scope: a shared one, or another one of the same person. */
function checkLimit(all: readonly ViewRecord[], { scope, owner }: Pick<ViewRecord, 'scope' | 'owner'>): void {
  const alike = all.filter((view) => (scope === 'personal' ? view.scope === 'personal' && view.owner === owner : view.scope !== 'personal'));
  if (alike.length >= (scope === 'personal' ? mostOwn : mostShared)) fail('conflict');
}

async function removeView(ctx: Context, call: CallOf<typeof endpoints.removeView>): Promise<void> {
  const context = await viewContextOf(ctx, call, call.params.table);
  const removed = await ctx.postgres.db.transaction(async (tx) => {
    await queries.oneAtATime(tx, context.table.id);
    const all = await queries.lockViews(tx, context.table.id);
    const view = all.find((one) => one.id === call.params.view && isVisible(one, context)) ?? fail('not_found');
    if (!mayChange(view, context) || (await isHeld(tx, view, context, ctx.now()))) fail('forbidden');
    await queries.removal.store(ctx, tx, { siteId: context.model.siteId, id: view.id, by: call.session.userId });
    await queries.deleteView(tx, view.id);
    return view;
  });
  publishChange(ctx, context, removed);
}

/** Restores a view with its public links, for those who might remove it. Throws `conflict` if the table would have too many views, or the site too many links. */
async function restoreView(ctx: Context, call: CallOf<typeof endpoints.restoreView>): Promise<RecordView> {
  const context = await viewContextOf(ctx, call, call.params.table);
  const restored = await ctx.postgres.db.transaction(async (tx) => {
    await queries.oneAtATime(tx, context.table.id);
    const others = await queries.lockViews(tx, context.table.id);
    const { siteId } = context.model;
    await withinLinkLimit(tx, siteId, () => queries.removal.restore(ctx, tx, { siteId, id: call.params.view, by: call.session.userId }));
    const all = await queries.lockViews(tx, context.table.id);
    const view = all.find((one) => one.id === call.params.view && isVisible(one, context)) ?? fail('not_found');
    if (!mayChange(view, context) || (await isHeld(tx, view, context, ctx.now()))) fail('forbidden');
    checkLimit(others, view);
    return view;
  });
  publishChange(ctx, context, restored);
  return viewResponse(context, restored);
}

/** Moves a view among those that the caller sees; hidden views keep their neighbours. */
async function place(
  tx: Parameters<typeof queries.placeView>[0],
  all: readonly ViewRecord[],
  view: ViewRecord,
  position: number,
  context: ViewContext,
): Promise<void> {
  const others = all.filter((one) => one.id !== view.id);
  const next = others.filter((one) => isVisible(one, context))[position];
  const at = next ? others.indexOf(next) : others.length;
  const ordered = [...others.slice(0, at), view, ...others.slice(at)];
  for (const [index, one] of ordered.entries()) if (one.position !== index) await queries.placeView(tx, one.id, index);
}
