import type { FastifyInstance } from 'fastify';
import type { LinkStop } from '../../../../contract/links';
import { FormOptions } from '../../../../contract/tables/forms';
import { tablePublicLinkEndpoints as endpoints } from '../../../../contract/tables/publicLinks';
import type { PublicLink } from '../../../../contract/tables/publicLinks';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import type { Actor } from '../../audit';
import { siteModel, tableOf } from '../core/model';
import type { Tx } from '../core/write/types';
import { statusOf, stopOf } from './form';
import { registerOpenViews } from './open';
import { registerOpenForms } from './openForm';
import * as queries from './queries';
import type { ListedPublicLink, PublicLinkRecord } from './queries';
import { checkEnd, linkChange, newLink } from '../../../kit/publicLinks';

export { hasPublicLink, linksOfView } from './queries';

const mostPublicLinks = 200;

/** Runs `add`, which adds links, in the transaction. Throws `conflict` if the site then has more than the maximum. */
export async function withinLinkLimit<T>(tx: Tx, siteId: string, add: () => Promise<T>): Promise<T> {
  // Locks the site's row first: concurrent additions wait here and cannot block each other.
  await queries.countPublicLinks(tx, siteId);
  const added = await add();
  if ((await queries.countPublicLinks(tx, siteId)) > mostPublicLinks) fail('conflict');
  return added;
}

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
  route(app, ctx, endpoints.viewPublicLinks, async ({ site }) => publicLinksWithState(ctx, site.id, await queries.publicLinksOf(ctx.postgres.db, site.id)));
  route(app, ctx, endpoints.addViewPublicLink, (call) => addPublicLink(ctx, call));
  route(app, ctx, endpoints.changeViewPublicLink, (call) => changePublicLink(ctx, call));
  route(app, ctx, endpoints.takeOverViewPublicLink, (call) => takeOverPublicLink(ctx, call));
  route(app, ctx, endpoints.removeViewPublicLink, (call) => removePublicLink(ctx, call));
  route(app, ctx, endpoints.restoreViewPublicLink, (call) => restorePublicLink(ctx, call));
  registerOpenViews(app, ctx);
  registerOpenForms(app, ctx);
}

const publicLinkResponse = (
  ctx: Context,
  { publicLink, view, table, by }: ListedPublicLink,
  form: PublicLink['form'],
  stopped: LinkStop | null,
): PublicLink => ({
  id: publicLink.id,
  name: publicLink.name,
  url: `${ctx.config.publicUrl}/${publicLink.form === null ? 'view' : 'form'}/${ctx.secrets.open('share', publicLink.tokenSealed)}`,
  tableId: table.id,
  tableTitle: table.title,
  viewId: view.id,
  viewTitle: view.title,
  kind: view.kind,
  hasPassword: publicLink.passwordHash !== null,
  drafts: publicLink.drafts,
  download: publicLink.download,
  form,
  expiresAt: publicLink.expiresAt?.toISOString() ?? null,
  createdAt: publicLink.createdAt.toISOString(),
  createdBy: by ?? '',
  stopped,
  lastUsedAt: publicLink.lastUsedAt?.toISOString() ?? null,
  opened: publicLink.opened,
  revision: publicLink.revision,
});

/** Links with their current state: whether they are stopped, and why. */
async function publicLinksWithState(ctx: Context, siteId: string, all: readonly ListedPublicLink[]): Promise<PublicLink[]> {
  const model = all.length > 0 ? await siteModel(ctx, siteId) : null;
  const stops = new Map<string, Promise<LinkStop | null>>();
  return Promise.all(
    all.map(async (one) => {
      const { publicLink, view } = one;
      const table = model?.byName.get(view.tableId);
      if (!table) return publicLinkResponse(ctx, one, null, null);
      const who = `${publicLink.createdBy ?? ''} ${table.id} ${publicLink.form === null}`;
      const stop = stops.get(who) ?? stopOf(ctx.postgres.db, publicLink, table);
      stops.set(who, stop);
      const stopped = await stop;
      if (publicLink.form === null) return publicLinkResponse(ctx, one, null, stopped);
      return publicLinkResponse(
        ctx,
        one,
        {
          ...publicLink.form,
          files: publicLink.form.files ?? null,
          answers: publicLink.answers,
          refused: publicLink.refused,
          status: statusOf(publicLink, view, table, stopped === null),
        },
        stopped,
      );
    }),
  );
}
const publicLinkOf = async (ctx: Context, siteId: string, one: ListedPublicLink): Promise<PublicLink> =>
  (await publicLinksWithState(ctx, siteId, [one]))[0] ?? fail('not_found');

async function addPublicLink(ctx: Context, call: CallOf<typeof endpoints.addViewPublicLink>): Promise<ResponseOf<typeof endpoints.addViewPublicLink>> {
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
  body: CallOf<typeof endpoints.addViewPublicLink>['body'],
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
    const publicLink = await withinLinkLimit(tx, siteId, () =>
      queries.insertPublicLink(tx, {
        siteId,
        viewId: view.id,
        name: body.name,
        ...link,
        // A form shows no records.
        drafts: body.drafts && form === null,
        download: body.download && form === null,
        form,
      }),
    );
    await record(ctx, tx, actor, { action: 'table.shared', target: targetOf(table), siteId, after: facts(publicLink, view) });
    return publicLink;
  });
}

/** Throws `stale_revision` with the current link if others have changed it since. */
async function changePublicLink(ctx: Context, call: CallOf<typeof endpoints.changeViewPublicLink>): Promise<ResponseOf<typeof endpoints.changeViewPublicLink>> {
  const { site, params, body, ifMatch } = call;
  const revision = ifMatch();
  checkEnd(ctx, body.expiresAt);
  const before = (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  // Whether a link opens a form is fixed at creation.
  if (body.form !== undefined && before.publicLink.form === null) failField('form', 'wrong_type');
  // As at creation: not to a form that nobody could submit.
  if (body.form !== undefined) {
    const table = tableOf(await siteModel(ctx, site.id), before.view.tableId);
    const isUnfit = (form: PublicLinkRecord['form']): boolean => statusOf({ form, answers: 0 }, before.view, table, true) === 'unfit';
    if (isUnfit(body.form) && !isUnfit(before.publicLink.form)) failField('form.publish', 'in_use');
  }
  const change = await linkChange(body);
  const publicLink = await ctx.postgres.db.transaction(async (tx) => {
    const changed = await queries.changePublicLink(tx, site.id, params.id, revision, change);
    if (!changed) return null;
    await record(ctx, tx, actorOf(call), {
      action: 'table.share_changed',
      target: targetOf(before.table),
      siteId: site.id,
      before: facts(before.publicLink, before.view),
      after: facts(changed, before.view),
    });
    return changed;
  });
  if (publicLink) return publicLinkOf(ctx, site.id, { ...before, publicLink });
  const now = (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  return fail('stale_revision', { current: await publicLinkOf(ctx, site.id, now) });
}

/** Makes the caller responsible for a link that is stopped because its creator has lost the permission. */
async function takeOverPublicLink(
  ctx: Context,
  call: CallOf<typeof endpoints.takeOverViewPublicLink>,
): Promise<ResponseOf<typeof endpoints.takeOverViewPublicLink>> {
  const { site, params, session } = call;
  const model = await siteModel(ctx, site.id);
  await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    const table = tableOf(model, before.view.tableId);
    if ((await stopOf(tx, before.publicLink, table)) === null) fail('conflict');
    // Nobody may take over a link to records that they may not read, or to a form for records that they may not create.
    if ((await stopOf(tx, { ...before.publicLink, createdBy: session.userId }, table)) !== null) fail('forbidden');
    if (!(await queries.changePublicLink(tx, site.id, params.id, before.publicLink.revision, { createdBy: session.userId }))) fail('conflict');
    await record(ctx, tx, actorOf(call), {
      action: 'table.share_taken_over',
      target: targetOf(before.table),
      siteId: site.id,
      before: { name: before.publicLink.name, madeBy: before.by ?? '' },
      after: { name: before.publicLink.name, madeBy: session.displayName },
    });
  });
  return publicLinkOf(ctx, site.id, (await queries.findPublicLink(ctx.postgres.db, site.id, params.id)) ?? fail('not_found'));
}

/** Ends a link, which can be restored for a while. */
async function removePublicLink(ctx: Context, call: CallOf<typeof endpoints.removeViewPublicLink>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const gone = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    await queries.removal.store(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId });
    await queries.removePublicLink(tx, site.id, params.id);
    await record(ctx, tx, actorOf(call), {
      action: 'table.unshared',
      target: targetOf(gone.table),
      siteId: site.id,
      before: facts(gone.publicLink, gone.view),
    });
  });
}

/** Throws `parent_gone` if the view was removed, `conflict` if the site has the maximum number of links. */
async function restorePublicLink(
  ctx: Context,
  call: CallOf<typeof endpoints.restoreViewPublicLink>,
): Promise<ResponseOf<typeof endpoints.restoreViewPublicLink>> {
  const { site, params } = call;
  const restored = await ctx.postgres.db.transaction(async (tx) => {
    await withinLinkLimit(tx, site.id, () => queries.removal.restore(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId }));
    const link = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), {
      action: 'table.share_restored',
      target: targetOf(link.table),
      siteId: site.id,
      after: facts(link.publicLink, link.view),
    });
    return link;
  });
  return publicLinkOf(ctx, site.id, restored);
}
