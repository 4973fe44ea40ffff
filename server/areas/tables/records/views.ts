import type { FastifyInstance } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import { viewEndpoints as endpoints } from '../../../../contract/tables/views';
import type { RecordView } from '../../../../contract/tables/views';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { grantOf, requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import type { Tx } from '../core/write/types';
import { hidesPart, keptQuery, shownQuery } from '../core/viewQuery';
import * as queries from './viewQueries';
import type { ViewRecord } from './viewQueries';

/** Of a table: shared by everybody, and of one person. */
const mostShared = 100;
const mostOwn = 50;

type Caller = { readonly site: SiteAccess; readonly session: SessionInfo };
type ViewContext = {
  readonly model: SiteModel;
  readonly table: TableModel;
  readonly reader: Reader;
  readonly userId: string;
  /** May make and change views of everybody: who writes records. */ readonly shares: boolean;
  /** May lock them: who designs the table. */ readonly locks: boolean;
};

const shownView = (context: ViewContext, view: ViewRecord): RecordView => ({
  id: view.id,
  tableId: view.tableId,
  title: view.title,
  kind: view.kind,
  scope: view.scope,
  own: view.owner === context.userId,
  position: view.position,
  query: shownQuery(context.model, context.table, view.query, context.reader),
  revision: view.revision,
});

const isSeen = (view: ViewRecord, { userId }: ViewContext): boolean => view.scope !== 'personal' || view.owner === userId;
/** Whether people without an account look at a view through a link. */
export type IsShared = (tx: Tx, viewId: string, now: Date) => Promise<boolean>;
const mayChange = (view: Pick<ViewRecord, 'scope'>, context: ViewContext): boolean =>
  view.scope === 'personal' || (view.scope === 'shared' ? context.shares : context.locks);

/**
 * Saved views. Personal ones exist for their owner alone (404 for others); shared ones are changed by whoever may write records of the table, locked
 * ones by whoever may change its definition. What changes for everybody is told as a change of definitions.
 */
export function registerViews(app: FastifyInstance, ctx: Context, isShared: IsShared): void {
  const { db } = ctx.postgres;

  /** What people without an account look at is changed by who may make links to it. */
  const isHeld = async (tx: Tx, view: ViewRecord, { locks }: ViewContext, now: number): Promise<boolean> =>
    !locks && (await isShared(tx, view.id, new Date(now)));

  async function contextOf({ site, session }: Caller, name: string): Promise<ViewContext> {
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
  const tell = (context: ViewContext, ...views: readonly Pick<ViewRecord, 'scope'>[]): void => {
    if (views.some((view) => view.scope !== 'personal')) ctx.live.publish({ type: 'tables', siteId: context.model.siteId, tableId: context.table.id });
  };

  route(app, ctx, endpoints.views, async (call) => {
    const context = await contextOf(call, call.params.table);
    return (await queries.viewsOf(db, context.table.id, context.userId)).map((view) => shownView(context, view));
  });

  route(app, ctx, endpoints.addView, async (call) => {
    const { body } = call;
    const context = await contextOf(call, call.params.table);
    if (!mayChange(body, context)) fail('forbidden');
    const query = keptQuery(context.model, context.table, body.query);
    const added = await db.transaction(async (tx) => {
      await queries.oneAtATime(tx, context.table.id);
      const all = await queries.lockViews(tx, context.table.id);
      const alike = all.filter((view) => (body.scope === 'personal' ? view.scope === 'personal' && view.owner === context.userId : view.scope !== 'personal'));
      if (alike.length >= (body.scope === 'personal' ? mostOwn : mostShared)) fail('conflict');
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
    tell(context, added);
    return shownView(context, added);
  });

  route(app, ctx, endpoints.changeView, async (call) => {
    const { body, params } = call;
    const revision = call.ifMatch();
    const context = await contextOf(call, params.table);
    const done = await db.transaction(async (tx) => {
      await queries.oneAtATime(tx, context.table.id);
      const all = await queries.lockViews(tx, context.table.id);
      const before = all.find((view) => view.id === params.view && isSeen(view, context)) ?? fail('not_found');
      if (!mayChange(before, context) || !mayChange({ scope: body.scope ?? before.scope }, context)) fail('forbidden');
      // What is everybody's cannot become the own of whoever did not make it.
      if (body.scope === 'personal' && before.scope !== 'personal' && before.owner !== context.userId) fail('forbidden');
      if ((body.query !== undefined || body.kind !== undefined) && (await isHeld(tx, before, context, ctx.now()))) fail('forbidden');
      if (before.revision !== revision) fail('stale_revision', { current: shownView(context, before) });
      if (body.query && hidesPart(context.model, context.table, before.query, context.reader)) fail('forbidden');
      if (body.position !== undefined) await place(tx, all, before, body.position, context);
      const after = await queries.updateView(tx, before.id, {
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(body.kind === undefined ? {} : { kind: body.kind }),
        ...(body.scope === undefined ? {} : { scope: body.scope }),
        ...(body.query === undefined ? {} : { query: keptQuery(context.model, context.table, body.query) }),
      });
      return { before, after };
    });
    tell(context, done.before, done.after);
    return shownView(context, done.after);
  });

  route(app, ctx, endpoints.removeView, async (call) => {
    const context = await contextOf(call, call.params.table);
    const gone = await db.transaction(async (tx) => {
      await queries.oneAtATime(tx, context.table.id);
      const all = await queries.lockViews(tx, context.table.id);
      const view = all.find((one) => one.id === call.params.view && isSeen(one, context)) ?? fail('not_found');
      if (!mayChange(view, context) || (await isHeld(tx, view, context, ctx.now()))) fail('forbidden');
      await queries.deleteView(tx, view.id);
      return view;
    });
    tell(context, gone);
  });
}

/** Puts a view at a place among those that the caller sees; views that they do not see keep their neighbours. */
async function place(
  tx: Parameters<typeof queries.placeView>[0],
  all: readonly ViewRecord[],
  view: ViewRecord,
  position: number,
  context: ViewContext,
): Promise<void> {
  const others = all.filter((one) => one.id !== view.id);
  const next = others.filter((one) => isSeen(one, context))[position];
  const at = next ? others.indexOf(next) : others.length;
  const ordered = [...others.slice(0, at), view, ...others.slice(at)];
  for (const [index, one] of ordered.entries()) if (one.position !== index) await queries.placeView(tx, one.id, index);
}
