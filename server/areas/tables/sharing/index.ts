import type { FastifyInstance } from 'fastify';
import type { LinkStop } from '../../../../contract/links';
import { FormOptions } from '../../../../contract/tables/forms';
import { tablePublicLinkEndpoints as endpoints } from '../../../../contract/tables/publicLinks';
import type { PublicLink } from '../../../../contract/tables/publicLinks';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { AnswerOf, CallOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import type { Actor } from '../../audit';
import { siteModel, tableOf } from '../core/model';
import { statusOf, stopOf } from './form';
import { registerOpenViews } from './open';
import { registerOpenForms } from './openForm';
import * as queries from './queries';
import type { ListedPublicLink, PublicLinkRecord } from './queries';
import { checkEnd, linkChange, newLink } from '../../../kit/publicLinks';

export { isShared } from './queries';

const mostPublicLinks = 200;

/** Facts about a link for the audit log; never its secret. */
const facts = ({ name, drafts, download, expiresAt, passwordHash, form }: PublicLinkRecord, view: { readonly title: string }) => ({
  name,
  view: view.title,
  drafts,
  download,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
  ...(form === null ? {} : { form }),
});
const targetOf = ({ id, title }: ListedPublicLink['table']) => ({ kind: 'table', id, name: title });

/** Links to saved views: created, changed and removed by people who design tables. */
export function registerPublicLinks(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.viewShares, async ({ site }) => publicLinksWithState(ctx, site.id, await queries.publicLinksOf(ctx.postgres.db, site.id)));
  route(app, ctx, endpoints.addViewShare, (call) => addPublicLink(ctx, call));
  route(app, ctx, endpoints.changeViewShare, (call) => changePublicLink(ctx, call));
  route(app, ctx, endpoints.takeOverViewShare, (call) => takeOverPublicLink(ctx, call));
  route(app, ctx, endpoints.removeViewShare, (call) => removePublicLink(ctx, call));
  registerOpenViews(app, ctx);
  registerOpenForms(app, ctx);
}

const publicLinkResponse = (ctx: Context, { share, view, table, by }: ListedPublicLink, form: PublicLink['form'], stopped: LinkStop | null): PublicLink => ({
  id: share.id,
  name: share.name,
  url: `${ctx.config.publicUrl}/${share.form === null ? 'view' : 'form'}/${ctx.secrets.open('share', share.tokenSealed)}`,
  tableId: table.id,
  tableTitle: table.title,
  viewId: view.id,
  viewTitle: view.title,
  kind: view.kind,
  hasPassword: share.passwordHash !== null,
  drafts: share.drafts,
  download: share.download,
  form,
  expiresAt: share.expiresAt?.toISOString() ?? null,
  createdAt: share.createdAt.toISOString(),
  createdBy: by ?? '',
  stopped,
  lastUsedAt: share.lastUsedAt?.toISOString() ?? null,
  opened: share.opened,
  revision: share.revision,
});

/** Links with their current state: whether they are stopped, and why. */
async function publicLinksWithState(ctx: Context, siteId: string, all: readonly ListedPublicLink[]): Promise<PublicLink[]> {
  const model = all.length > 0 ? await siteModel(ctx, siteId) : null;
  const stops = new Map<string, Promise<LinkStop | null>>();
  return Promise.all(
    all.map(async (one) => {
      const { share, view } = one;
      const table = model?.byName.get(view.tableId);
      if (!table) return publicLinkResponse(ctx, one, null, null);
      const who = `${share.createdBy ?? ''} ${table.id} ${share.form === null}`;
      const stop = stops.get(who) ?? stopOf(ctx.postgres.db, share, table);
      stops.set(who, stop);
      const stopped = await stop;
      if (share.form === null) return publicLinkResponse(ctx, one, null, stopped);
      return publicLinkResponse(
        ctx,
        one,
        { ...share.form, answers: share.answers, refused: share.refused, status: statusOf(share, view, table, stopped === null) },
        stopped,
      );
    }),
  );
}
const publicLinkOf = async (ctx: Context, siteId: string, one: ListedPublicLink): Promise<PublicLink> =>
  (await publicLinksWithState(ctx, siteId, [one]))[0] ?? fail('not_found');

async function addPublicLink(ctx: Context, call: CallOf<typeof endpoints.addViewShare>): Promise<AnswerOf<typeof endpoints.addViewShare>> {
  const { session, site, body, params } = call;
  const by = { siteId: site.id, userId: session.userId, actor: actorOf(call) };
  const added = await createPublicLink(ctx, by, params, body);
  return publicLinkOf(ctx, site.id, (await queries.findPublicLink(ctx.postgres.db, site.id, added.id)) ?? fail('not_found'));
}

/** Creates a link to a view. Throws `forbidden` if the person may not create it, `conflict` if the site has the maximum number. */
export async function createPublicLink(
  ctx: Context,
  { siteId, userId, actor }: { readonly siteId: string; readonly userId: string; readonly actor: Actor },
  target: { readonly table: string; readonly view: string },
  body: CallOf<typeof endpoints.addViewShare>['body'],
): Promise<PublicLinkRecord> {
  checkEnd(ctx, body.expiresAt);
  const table = tableOf(await siteModel(ctx, siteId), target.table);
  const link = await newLink(ctx, body, userId);
  return ctx.postgres.db.transaction(async (tx) => {
    const view = (await queries.findView(tx, table.id, target.view, userId)) ?? fail('not_found');
    const form = view.kind === 'form' ? (body.form ?? FormOptions.parse({})) : null;
    if (form === null && body.form !== undefined) failField('form', 'wrong_type');
    // Nobody could submit it: a required field is not part of the public form.
    if (form && statusOf({ form, answers: 0 }, view, table, true) === 'unfit') failField('view', 'in_use');
    // A link that its creator may not create would be stopped from the start.
    if ((await stopOf(tx, { siteId, createdBy: userId, form }, table)) !== null) fail('forbidden');
    if ((await queries.countPublicLinks(tx, siteId)) >= mostPublicLinks) fail('conflict');
    const share = await queries.insertPublicLink(tx, {
      siteId,
      viewId: view.id,
      name: body.name,
      ...link,
      // A form shows no records.
      drafts: body.drafts && form === null,
      download: body.download && form === null,
      form,
    });
    await record(ctx, tx, actor, { action: 'table.shared', target: targetOf(table), siteId, after: facts(share, view) });
    return share;
  });
}

/** Throws `stale_revision` with the current link if others have changed it since. */
async function changePublicLink(ctx: Context, call: CallOf<typeof endpoints.changeViewShare>): Promise<AnswerOf<typeof endpoints.changeViewShare>> {
  const { site, params, body, ifMatch } = call;
  const revision = ifMatch();
  checkEnd(ctx, body.expiresAt);
  const before = (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  // Whether a link opens a form is fixed at creation.
  if (body.form !== undefined && before.share.form === null) failField('form', 'wrong_type');
  // As at creation: not to a form that nobody could submit.
  if (body.form !== undefined) {
    const table = tableOf(await siteModel(ctx, site.id), before.view.tableId);
    const isUnfit = (form: PublicLinkRecord['form']): boolean => statusOf({ form, answers: 0 }, before.view, table, true) === 'unfit';
    if (isUnfit(body.form) && !isUnfit(before.share.form)) failField('form.publish', 'in_use');
  }
  const change = await linkChange(body);
  const share = await ctx.postgres.db.transaction(async (tx) => {
    const changed = await queries.changePublicLink(tx, site.id, params.id, revision, change);
    if (!changed) return null;
    await record(ctx, tx, actorOf(call), {
      action: 'table.share_changed',
      target: targetOf(before.table),
      siteId: site.id,
      before: facts(before.share, before.view),
      after: facts(changed, before.view),
    });
    return changed;
  });
  if (share) return publicLinkOf(ctx, site.id, { ...before, share });
  const now = (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  return fail('stale_revision', { current: await publicLinkOf(ctx, site.id, now) });
}

/** Makes the caller responsible for a link that is stopped because its creator has lost the permission. */
async function takeOverPublicLink(ctx: Context, call: CallOf<typeof endpoints.takeOverViewShare>): Promise<AnswerOf<typeof endpoints.takeOverViewShare>> {
  const { site, params, session } = call;
  const model = await siteModel(ctx, site.id);
  await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    const table = tableOf(model, before.view.tableId);
    if ((await stopOf(tx, before.share, table)) === null) fail('conflict');
    // Nobody may take over a link to records that they may not read, or to a form for records that they may not create.
    if ((await stopOf(tx, { ...before.share, createdBy: session.userId }, table)) !== null) fail('forbidden');
    if (!(await queries.changePublicLink(tx, site.id, params.id, before.share.revision, { createdBy: session.userId }))) fail('conflict');
    await record(ctx, tx, actorOf(call), {
      action: 'table.share_taken_over',
      target: targetOf(before.table),
      siteId: site.id,
      before: { name: before.share.name, madeBy: before.by ?? '' },
      after: { name: before.share.name, madeBy: session.displayName },
    });
  });
  return publicLinkOf(ctx, site.id, (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found'));
}

/** Removes a link permanently. */
async function removePublicLink(ctx: Context, call: CallOf<typeof endpoints.removeViewShare>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const gone = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    await queries.removePublicLink(tx, site.id, params.id);
    await record(ctx, tx, actorOf(call), {
      action: 'table.unshared',
      target: targetOf(gone.table),
      siteId: site.id,
      before: facts(gone.share, gone.view),
    });
  });
}
