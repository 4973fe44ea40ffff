import type { FastifyInstance } from 'fastify';
import { shareEndpoints as endpoints } from '../../../contract/shares';
import type { Share } from '../../../contract/shares';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { fail, failField } from '../../http/failure';
import { isUnlocked, makePass } from '../../http/linkPass';
import { route } from '../../http/route';
import { compileFilters, goalSql, parseFilter } from '../analytics';
import { actorOf, record } from '../audit';
import { createThrottle, hashPassword, hashToken, makeToken, verifyPassword } from '../session';
import { shownSite } from '../sites';
import { knownScreens, openShare } from './access';
import { registerCard } from './card';
import * as queries from './queries';
import type { ListedShare, ShareRecord } from './queries';
import { dimensionsOf } from './screens';

export { shareAccess } from './access';

const mostShares = 100;
/** Passwords given for one link, by one network and by everybody. */
const tries = { points: 10, seconds: 600 } as const;
const triesOfAll = { points: 300, seconds: 3600 } as const;

const targetOf = ({ id, name }: ShareRecord) => ({ kind: 'share', id, name });
/** What the log keeps of a link: never its secret. */
const facts = ({ name, screens, filters, card, expiresAt, passwordHash }: ShareRecord) => ({
  name,
  screens: screens.join(' '),
  filters: filters.join(' '),
  card,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
});

export function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);

  function shown({ share, by }: ListedShare): Share {
    const url = `${ctx.config.publicUrl}/shared/${ctx.secrets.open('share', share.tokenSealed)}`;
    return {
      id: share.id,
      name: share.name,
      url,
      screens: knownScreens(share.screens),
      filters: share.filters,
      preset: share.preset,
      hasPassword: share.passwordHash !== null,
      card: share.card ? `${url}/card` : null,
      expiresAt: share.expiresAt?.toISOString() ?? null,
      createdAt: share.createdAt.toISOString(),
      createdBy: by ?? '',
      lastUsedAt: share.lastUsedAt?.toISOString() ?? null,
      opened: share.opened,
      revision: share.revision,
    };
  }

  function check(fields: { readonly filters?: readonly string[] | undefined; readonly expiresAt?: string | null | undefined }): void {
    if (fields.filters) compileFilters(fields.filters.map(parseFilter), goalSql([], undefined));
    if (fields.expiresAt != null && Date.parse(fields.expiresAt) <= ctx.now()) failField('expiresAt', 'out_of_range');
  }

  route(app, ctx, endpoints.shares, async ({ site }) => (await queries.sharesOf(db, site.id)).map(shown));

  route(app, ctx, endpoints.addShare, async (call) => {
    const { session, site, body } = call;
    check(body);
    if (body.card && body.password !== null) failField('card', 'out_of_range');
    const token = makeToken();
    const passwordHash = body.password === null ? null : await hashPassword(body.password);
    const share = await db.transaction(async (tx) => {
      if ((await queries.countShares(tx, site.id)) >= mostShares) fail('conflict');
      const made = await queries.insertShare(tx, {
        siteId: site.id,
        name: body.name,
        tokenHash: hashToken(token),
        tokenSealed: ctx.secrets.seal('share', token),
        passwordHash,
        screens: [...new Set(body.screens)],
        filters: body.filters,
        preset: body.preset,
        card: body.card,
        expiresAt: body.expiresAt === null ? null : new Date(body.expiresAt),
        createdBy: session.userId,
        createdAt: new Date(ctx.now()),
      });
      await record(ctx, tx, actorOf(call), { action: 'share.made', target: targetOf(made), siteId: site.id, after: facts(made) });
      return made;
    });
    return shown({ share, by: session.displayName });
  });

  route(app, ctx, endpoints.changeShare, async (call) => {
    const { site, params, body, ifMatch } = call;
    const revision = ifMatch();
    check(body);
    const before = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
    const { password, expiresAt, ...rest } = body;
    const locked = password === undefined ? before.share.passwordHash !== null : password !== null;
    if ((rest.card ?? before.share.card) && locked) failField('card', 'out_of_range');
    const passwordHash = password == null ? password : await hashPassword(password);
    const change = {
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    };
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
    if (share) return shown({ share, by: before.by });
    const now = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
    return fail('stale_revision', { current: shown(now) });
  });

  route(app, ctx, endpoints.removeShare, async (call) => {
    const { site, params } = call;
    await db.transaction(async (tx) => {
      const gone = (await queries.removeShare(tx, site.id, params.id)) ?? fail('not_found');
      await record(ctx, tx, actorOf(call), { action: 'share.removed', target: targetOf(gone), siteId: site.id, before: facts(gone) });
    });
  });

  route(app, ctx, endpoints.sharedView, async ({ request }) => {
    const { share, site } = (await openShare(ctx, request)) ?? fail('link_ended');
    const open = isUnlocked(ctx, request, share);
    if (open) await queries.countOpening(db, share.id, new Date(ctx.now()));
    return {
      name: share.name,
      needsPassword: !open,
      site: open ? shownSite({ site, role: 'viewer', pinned: false }, ctx.config.deliveryPort) : null,
      screens: open ? knownScreens(share.screens) : [],
      dimensions: open ? dimensionsOf(knownScreens(share.screens)) : [],
      preset: share.preset,
      expiresAt: share.expiresAt?.toISOString() ?? null,
    };
  });

  route(app, ctx, endpoints.unlockShare, async ({ request, body }) => {
    const { share } = (await openShare(ctx, request)) ?? fail('link_ended');
    await throttle.limit(`share ${share.id} ${addressGroup(clientAddress(request))}`, tries.points, tries.seconds);
    await throttle.limit(`share ${share.id}`, triesOfAll.points, triesOfAll.seconds);
    if (share.passwordHash !== null && !(await verifyPassword(share.passwordHash, body.password))) fail('bad_credentials');
    return { pass: makePass(ctx, share) };
  });

  registerCard(app, ctx);
}
