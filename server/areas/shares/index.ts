import type { FastifyInstance } from 'fastify';
import { shareEndpoints as endpoints } from '../../../contract/shares/schemas';
import type { Share } from '../../../contract/shares/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { AnswerOf, CallOf } from '../../http/route';
import { compileFilters, goalSql, parseFilter } from '../analytics';
import { actorOf, record } from '../audit';
import type { Actor } from '../audit';
import { makerOf, siteResponse } from '../sites';
import { contentOf, knownScreens, openShare } from './access';
import { registerCard } from './card';
import * as queries from './queries';
import type { ListedShare, ShareRecord } from './queries';
import { changedDimensions, dimensionsOf, reachOf } from './screens';
import type { Area } from '../area';
import { checkEnd, isUnlocked, linkChange, createLinkUnlock, newLink } from '../../kit/publicLinks';

export { shareAccess } from './access';

const mostShares = 100;

const targetOf = ({ id, name }: ShareRecord) => ({ kind: 'share', id, name });
/** What the log keeps of a link: never its secret. */
const facts = ({ name, screens, filters, view, card, expiresAt, passwordHash }: ShareRecord) => ({
  name,
  screens: screens.join(' '),
  filters: filters.join(' '),
  view,
  card,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
});

async function shareOf(ctx: Context, { share, by }: ListedShare): Promise<Share> {
  const url = `${ctx.config.publicUrl}/shared/${ctx.secrets.open('share', share.tokenSealed)}`;
  return {
    id: share.id,
    name: share.name,
    url,
    screens: knownScreens(share.screens),
    filters: share.filters,
    preset: share.preset,
    view: share.view,
    hasPassword: share.passwordHash !== null,
    card: share.card ? `${url}/card` : null,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    createdAt: share.createdAt.toISOString(),
    createdBy: by ?? '',
    stopped: (await makerOf(ctx.postgres.db, share.siteId, share.createdBy, 'analytics.configure')).stopped,
    lastUsedAt: share.lastUsedAt?.toISOString() ?? null,
    opened: share.opened,
    revision: share.revision,
  };
}

function check(ctx: Context, fields: { readonly filters?: readonly string[] | undefined; readonly expiresAt?: string | null | undefined }): void {
  if (fields.filters) compileFilters(fields.filters.map(parseFilter), goalSql([], undefined));
  checkEnd(ctx, fields.expiresAt);
}

/** Creates a link to reports, which works as long as `userId` may configure the site. Throws `conflict` when the site has the maximum number. */
export async function createShare(
  ctx: Context,
  { siteId, userId, actor }: { readonly siteId: string; readonly userId: string; readonly actor: Actor },
  input: CallOf<typeof endpoints.addShare>['body'],
): Promise<ShareRecord> {
  check(ctx, input);
  if (input.card && input.password !== null) failField('card', 'out_of_range');
  const link = await newLink(ctx, input, userId);
  return ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.countShares(tx, siteId)) >= mostShares) fail('conflict');
    const created = await queries.insertShare(tx, {
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

async function addShare(ctx: Context, call: CallOf<typeof endpoints.addShare>): Promise<Share> {
  const { session, site, body } = call;
  const share = await createShare(ctx, { siteId: site.id, userId: session.userId, actor: actorOf(call) }, body);
  return shareOf(ctx, { share, by: session.displayName });
}

async function changeShare(ctx: Context, call: CallOf<typeof endpoints.changeShare>): Promise<Share> {
  const { db } = ctx.postgres;
  const { site, params, body, ifMatch } = call;
  const revision = ifMatch();
  check(ctx, body);
  const before = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
  const locked = body.password === undefined ? before.share.passwordHash !== null : body.password !== null;
  if ((body.card ?? before.share.card) && locked) failField('card', 'out_of_range');
  const change = { ...(await linkChange(body)), ...(body.screens && { dimensions: changedDimensions(contentOf(before.share), body.screens) }) };
  const share = await db.transaction(async (tx) => {
    const changed = await queries.changeShare(tx, site.id, params.id, revision, change);
    if (!changed) return null;
    await record(ctx, tx, actorOf(call), {
      action: 'share.changed',
      target: targetOf(changed),
      siteId: site.id,
      before: facts(before.share),
      after: facts(changed),
    });
    return changed;
  });
  if (share) return shareOf(ctx, { share, by: before.by });
  const now = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
  return fail('stale_revision', { current: await shareOf(ctx, now) });
}

async function takeOverShare(ctx: Context, call: CallOf<typeof endpoints.takeOverShare>): Promise<Share> {
  const { site, params, session } = call;
  const share = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.findShare(tx, site.id, params.id)) ?? fail('not_found');
    if ((await makerOf(tx, site.id, before.share.createdBy, 'analytics.configure')).stopped === null) return fail('conflict');
    const changed = (await queries.changeShare(tx, site.id, params.id, before.share.revision, { createdBy: session.userId })) ?? fail('conflict');
    await record(ctx, tx, actorOf(call), {
      action: 'share.taken_over',
      target: targetOf(changed),
      siteId: site.id,
      before: { madeBy: before.by ?? '' },
      after: { madeBy: session.displayName },
    });
    return changed;
  });
  return shareOf(ctx, { share, by: session.displayName });
}

async function removeShare(ctx: Context, call: CallOf<typeof endpoints.removeShare>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const gone = (await queries.removeShare(tx, site.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), { action: 'share.removed', target: targetOf(gone), siteId: site.id, before: facts(gone) });
  });
}

async function openSharedView(ctx: Context, { request }: CallOf<typeof endpoints.sharedView>): Promise<AnswerOf<typeof endpoints.sharedView>> {
  const { share, site } = (await openShare(ctx, request)) ?? fail('link_ended');
  const open = isUnlocked(ctx, request, share);
  if (open) await queries.countOpening(ctx.postgres.db, share.id, new Date(ctx.now()));
  return {
    name: share.name,
    needsPassword: !open,
    site: open ? siteResponse({ site, role: 'viewer', pinned: false }, ctx.config.deliveryPort) : null,
    screens: open ? knownScreens(share.screens) : [],
    dimensions: open ? reachOf(contentOf(share)) : [],
    preset: share.preset,
    view: share.view,
    expiresAt: share.expiresAt?.toISOString() ?? null,
  };
}

async function unlockShare(
  ctx: Context,
  { request, body }: CallOf<typeof endpoints.unlockShare>,
  unlock: ReturnType<typeof createLinkUnlock>,
): Promise<AnswerOf<typeof endpoints.unlockShare>> {
  const { share } = (await openShare(ctx, request)) ?? fail('link_ended');
  return unlock(request, share, body.password);
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const unlock = createLinkUnlock(ctx, 'share');
  route(app, ctx, endpoints.shares, async ({ site }) => Promise.all((await queries.sharesOf(db, site.id)).map((row) => shareOf(ctx, row))));
  route(app, ctx, endpoints.addShare, (call) => addShare(ctx, call));
  route(app, ctx, endpoints.changeShare, (call) => changeShare(ctx, call));
  route(app, ctx, endpoints.takeOverShare, (call) => takeOverShare(ctx, call));
  route(app, ctx, endpoints.removeShare, (call) => removeShare(ctx, call));
  route(app, ctx, endpoints.sharedView, (call) => openSharedView(ctx, call));
  route(app, ctx, endpoints.unlockShare, (call) => unlockShare(ctx, call, unlock));
  registerCard(app, ctx);
}

export const area: Area = { register };
