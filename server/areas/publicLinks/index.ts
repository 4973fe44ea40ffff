import type { FastifyInstance } from 'fastify';
import { publicLinkEndpoints as endpoints } from '../../../contract/publicLinks/schemas';
import type { PublicLink } from '../../../contract/publicLinks/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { compileFilters, goalSql, parseFilter } from '../analytics';
import { actorOf, record } from '../audit';
import type { Actor } from '../audit';
import { makerOf, siteResponse } from '../sites';
import { contentOf, knownScreens, requestedPublicLink } from './access';
import { registerCard } from './card';
import * as queries from './queries';
import type { ListedPublicLink, PublicLinkRecord } from './queries';
import { changedDimensions, dimensionsOf, reachOf } from './screens';
import type { Area } from '../area';
import { checkEnd, isUnlocked, linkChange, createLinkUnlock, newLink } from '../../kit/publicLinks';

export { publicLinkAccess } from './access';

const mostPublicLinks = 100;

const targetOf = ({ id, name }: PublicLinkRecord) => ({ kind: 'share', id, name });
/** What the log keeps of a link: never its secret. */
const facts = ({ name, screens, filters, view, card, expiresAt, passwordHash }: PublicLinkRecord) => ({
  name,
  screens: screens.join(' '),
  filters: filters.join(' '),
  view,
  card,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
});

async function publicLinkResponse(ctx: Context, { publicLink, by }: ListedPublicLink): Promise<PublicLink> {
  const url = `${ctx.config.publicUrl}/shared/${ctx.secrets.open('share', publicLink.tokenSealed)}`;
  return {
    id: publicLink.id,
    name: publicLink.name,
    url,
    screens: knownScreens(publicLink.screens),
    filters: publicLink.filters,
    preset: publicLink.preset,
    view: publicLink.view,
    hasPassword: publicLink.passwordHash !== null,
    card: publicLink.card ? `${url}/card` : null,
    expiresAt: publicLink.expiresAt?.toISOString() ?? null,
    createdAt: publicLink.createdAt.toISOString(),
    createdBy: by ?? '',
    stopped: (await makerOf(ctx.postgres.db, publicLink.siteId, publicLink.createdBy, 'analytics.configure')).stopped,
    lastUsedAt: publicLink.lastUsedAt?.toISOString() ?? null,
    opened: publicLink.opened,
    revision: publicLink.revision,
  };
}

function check(ctx: Context, fields: { readonly filters?: readonly string[] | undefined; readonly expiresAt?: string | null | undefined }): void {
  if (fields.filters) compileFilters(fields.filters.map(parseFilter), goalSql([], undefined));
  checkEnd(ctx, fields.expiresAt);
}

/** Creates a link to reports, which works as long as `userId` may configure the site. Throws `conflict` when the site has the maximum number. */
export async function createPublicLink(
  ctx: Context,
  { siteId, userId, actor }: { readonly siteId: string; readonly userId: string; readonly actor: Actor },
  input: CallOf<typeof endpoints.addPublicLink>['body'],
): Promise<PublicLinkRecord> {
  check(ctx, input);
  if (input.card && input.password !== null) failField('card', 'out_of_range');
  const link = await newLink(ctx, input, userId);
  return ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.countPublicLinks(tx, siteId)) >= mostPublicLinks) fail('conflict');
    const created = await queries.insertPublicLink(tx, {
      siteId,
      name: input.name,
      ...link,
      screens: [...new Set(input.screens)],
      dimensions: dimensionsOf(input.screens),
      filters: input.filters,
      preset: input.preset,
      view: input.view,
      card: input.card,
    });
    await record(ctx, tx, actor, { action: 'share.made', target: targetOf(created), siteId, after: facts(created) });
    return created;
  });
}

async function addPublicLink(ctx: Context, call: CallOf<typeof endpoints.addPublicLink>): Promise<PublicLink> {
  const { session, site, body } = call;
  const publicLink = await createPublicLink(ctx, { siteId: site.id, userId: session.userId, actor: actorOf(call) }, body);
  return publicLinkResponse(ctx, { publicLink, by: session.displayName });
}

async function changePublicLink(ctx: Context, call: CallOf<typeof endpoints.changePublicLink>): Promise<PublicLink> {
  const { db } = ctx.postgres;
  const { site, params, body, ifMatch } = call;
  const revision = ifMatch();
  check(ctx, body);
  const before = (await queries.findPublicLink(db, site.id, params.id)) ?? fail('not_found');
  const locked = body.password === undefined ? before.publicLink.passwordHash !== null : body.password !== null;
  if ((body.card ?? before.publicLink.card) && locked) failField('card', 'out_of_range');
  const change = { ...(await linkChange(body)), ...(body.screens && { dimensions: changedDimensions(contentOf(before.publicLink), body.screens) }) };
  const publicLink = await db.transaction(async (tx) => {
    const changed = await queries.changePublicLink(tx, site.id, params.id, revision, change);
    if (!changed) return null;
    await record(ctx, tx, actorOf(call), {
      action: 'share.changed',
      target: targetOf(changed),
      siteId: site.id,
      before: facts(before.publicLink),
      after: facts(changed),
    });
    return changed;
  });
  if (publicLink) return publicLinkResponse(ctx, { publicLink, by: before.by });
  const now = (await queries.findPublicLink(db, site.id, params.id)) ?? fail('not_found');
  return fail('stale_revision', { current: await publicLinkResponse(ctx, now) });
}

async function takeOverPublicLink(ctx: Context, call: CallOf<typeof endpoints.takeOverPublicLink>): Promise<PublicLink> {
  const { site, params, session } = call;
  const publicLink = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    if ((await makerOf(tx, site.id, before.publicLink.createdBy, 'analytics.configure')).stopped === null) return fail('conflict');
    const changed = (await queries.changePublicLink(tx, site.id, params.id, before.publicLink.revision, { createdBy: session.userId })) ?? fail('conflict');
    await record(ctx, tx, actorOf(call), {
      action: 'share.taken_over',
      target: targetOf(changed),
      siteId: site.id,
      before: { madeBy: before.by ?? '' },
      after: { madeBy: session.displayName },
    });
    return changed;
  });
  return publicLinkResponse(ctx, { publicLink, by: session.displayName });
}

async function removePublicLink(ctx: Context, call: CallOf<typeof endpoints.removePublicLink>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removal.store(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId });
    const gone = (await queries.removePublicLink(tx, site.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), { action: 'share.removed', target: targetOf(gone), siteId: site.id, before: facts(gone) });
  });
}

/** Throws `conflict` when the site has the maximum number of links. */
async function restorePublicLink(ctx: Context, call: CallOf<typeof endpoints.restorePublicLink>): Promise<PublicLink> {
  const { site, params } = call;
  const restored = await ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.countPublicLinks(tx, site.id)) >= mostPublicLinks) fail('conflict');
    await queries.removal.restore(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId });
    const found = (await queries.findPublicLink(tx, site.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), { action: 'share.restored', target: targetOf(found.publicLink), siteId: site.id, after: facts(found.publicLink) });
    return found;
  });
  return publicLinkResponse(ctx, restored);
}

async function openReports(ctx: Context, { request }: CallOf<typeof endpoints.openReports>): Promise<ResponseOf<typeof endpoints.openReports>> {
  const { publicLink, site } = (await requestedPublicLink(ctx, request)) ?? fail('link_ended');
  const open = isUnlocked(ctx, request, publicLink);
  if (open) await queries.countOpening(ctx.postgres.db, publicLink.id, new Date(ctx.now()));
  return {
    name: publicLink.name,
    needsPassword: !open,
    site: open ? siteResponse({ site, role: 'viewer', pinned: false, support: false }, ctx.config) : null,
    screens: open ? knownScreens(publicLink.screens) : [],
    dimensions: open ? reachOf(contentOf(publicLink)) : [],
    preset: publicLink.preset,
    view: publicLink.view,
    expiresAt: publicLink.expiresAt?.toISOString() ?? null,
  };
}

async function unlockReports(
  ctx: Context,
  { request, body }: CallOf<typeof endpoints.unlockReports>,
  unlock: ReturnType<typeof createLinkUnlock>,
): Promise<ResponseOf<typeof endpoints.unlockReports>> {
  const { publicLink } = (await requestedPublicLink(ctx, request)) ?? fail('link_ended');
  return unlock(request, publicLink, body.password);
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const unlock = createLinkUnlock(ctx, 'reports');
  route(app, ctx, endpoints.publicLinks, async ({ site }) =>
    Promise.all((await queries.publicLinksOf(db, site.id)).map((row) => publicLinkResponse(ctx, row))),
  );
  route(app, ctx, endpoints.addPublicLink, (call) => addPublicLink(ctx, call));
  route(app, ctx, endpoints.changePublicLink, (call) => changePublicLink(ctx, call));
  route(app, ctx, endpoints.takeOverPublicLink, (call) => takeOverPublicLink(ctx, call));
  route(app, ctx, endpoints.removePublicLink, (call) => removePublicLink(ctx, call));
  route(app, ctx, endpoints.restorePublicLink, (call) => restorePublicLink(ctx, call));
  route(app, ctx, endpoints.openReports, (call) => openReports(ctx, call));
  route(app, ctx, endpoints.unlockReports, (call) => unlockReports(ctx, call, unlock));
  registerCard(app, ctx);
}

export const area: Area = { register };
