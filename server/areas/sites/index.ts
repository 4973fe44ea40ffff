import type { FastifyInstance } from 'fastify';
import { may, mayOnSite } from '../../../contract/permissions';
import { baseEndpoints } from '../../../contract/sites/base';
import { listEndpoints } from '../../../contract/sites/list';
import { siteEndpoints as endpoints } from '../../../contract/sites/schemas';
import type { Site } from '../../../contract/sites/schemas';
import type { Context } from '../../context';
import type { AccessSource, SessionInfo, SiteAccess } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { requireProof, route } from '../../http/route';
import { isTimeZone } from '../../../contract/timeZone';
import { enqueue } from '../../worker';
import { actorOf } from '../audit';
import { languages } from '../languages/list';
import { moveOtherDemoSites } from './demoSites';
import { changeBase, readBase, renewBypass } from './base';
import { changeSites } from './changes';
import { createFigures, tagged } from './figures';
import { handOver } from './gate';
import * as queries from './queries';
import type { SiteRecord } from './queries';
import { siteResponse, systemHostFor, systemHostOf } from './responses';
import { changeSite, createSite, moveSite, slugResponse } from './sites';
import type { Area } from '../area';
import { erasePerson, exportPerson } from './personalData';
import { syllablesOf } from './slugs';
import { purgeSites, sitePurge } from './purge';

export { hasPermission, makerOf, peopleWith } from './makers';
export { lockSite, publishDraft, setDefaultLanguage, shareSite, siteNamesFor } from './queries';
import { openSiteIndex, readIndexedSite } from './siteIndex';
import type { SiteIndex } from './siteIndex';

export { openSiteIndex, readIndexedSite };
export type { IndexedSite, Measuring, ServedHostname, SiteIndex } from './siteIndex';
export * as gate from './gate';
export { siteResponse, systemHostFor, systemHostOf } from './responses';
export { createSite, freeSlugs } from './sites';
export { copyBase, endPreviewAddresses, forgetMessage } from './base';

export const findSite = (ctx: Context, id: string): Promise<SiteRecord | null> => queries.findSite(ctx.postgres.db, id);

const seesAll = (session: SessionInfo): boolean => may(session.role, 'site.seeAll');

/** An API token may be limited to some sites. */
const isOpenTo = (session: SessionInfo, siteId: string): boolean => session.token?.siteIds?.includes(siteId) ?? true;

/** The grant of a caller on a site, deleted sites included (the access check decides about those). */
export const siteAccess =
  (ctx: Context): AccessSource['site'] =>
  async (session, siteId) => {
    if (!isSiteId(siteId) || !isOpenTo(session, siteId)) return null;
    const found = await queries.accessTo(ctx.postgres.db, siteId, session.userId);
    return found && accessFound(session, found);
  };

export const isSiteId = (text: string): boolean => /^[a-z2-7]{12}$/.test(text);

/** The caller's access to a site found by a query, with their grant on it: the only place that decides this. */
export function accessFound(session: SessionInfo, { site, granted, contentRevision }: queries.FoundSite): SiteAccess | null {
  const role = isOpenTo(session, site.id) ? (seesAll(session) ? 'admin' : granted) : null;
  return role && { id: site.id, role, row: site, contentRevision: contentRevision ?? 0 };
}

/** The sites that a person can see and that are not in the bin, with the person's role on each. */
export async function sitesOf(ctx: Context, session: SessionInfo): Promise<Site[]> {
  const sites = await queries.visibleSites(ctx.postgres.db, session.userId, seesAll(session), false);
  return sites.filter(({ site }) => isOpenTo(session, site.id)).map((site) => siteResponse(site, ctx.config));
}

/** Sites for requests of their visitors. The index is opened with the first such request and closed with the app. */
export function visitedSites(app: FastifyInstance, ctx: Context): AccessSource['visitedSite'] {
  let index: Promise<SiteIndex> | null = null;
  app.addHook('onClose', async () => (await index)?.close());
  return async (siteId, options) => {
    if (!isSiteId(siteId)) return null;
    index ??= openSiteIndex(ctx).catch((error: unknown) => {
      index = null;
      throw error;
    });
    const { get, find } = await index;
    return options?.inMemory ? get(siteId) : find(siteId);
  };
}

const moverOf = (call: Parameters<typeof actorOf>[0] & { readonly session: SessionInfo }) => ({
  actor: actorOf(call),
  maySuspend: may(call.session.role, 'site.suspend'),
});

/** Calls about many sites at once, and about names of new ones. */
function registerList(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  const { db } = ctx.postgres;
  const figuresOf = createFigures(
    ctx,
    areas.flatMap(({ siteFigures }) => siteFigures ?? []),
  );

  route(app, ctx, listEndpoints.figures, async (call) => tagged(call, await figuresOf(call.session, await sitesOf(ctx, call.session))));

  route(app, ctx, listEndpoints.sitePinyin, async ({ session }) =>
    (await sitesOf(ctx, session)).flatMap(({ id, name }) => {
      const syllables = syllablesOf(name);
      return syllables.length === 0 ? [] : [{ siteId: id, syllables }];
    }),
  );

  route(app, ctx, listEndpoints.changeSites, async (call) => {
    const { changed, failed } = await changeSites(ctx, call, { accessTo: siteAccess(ctx), ...moverOf(call) });
    const visible = await queries.visibleSites(db, call.session.userId, seesAll(call.session), false, changed);
    return { sites: visible.map((site) => siteResponse(site, ctx.config)), failed };
  });

  route(app, ctx, listEndpoints.bin, async ({ session }) =>
    (await queries.visibleSites(db, session.userId, seesAll(session), true))
      .filter(({ site }) => isOpenTo(session, site.id))
      .map((site) => siteResponse(site, ctx.config)),
  );

  route(app, ctx, listEndpoints.slug, async ({ query }) => {
    const result = await slugResponse(ctx, query.slug, query.name);
    return { ...result, systemHost: systemHostFor(result.slug, ctx.config) };
  });
}

function register(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  const { db } = ctx.postgres;
  const { config } = ctx;
  const now = () => new Date(ctx.now());

  /** The site as the caller sees it after a change. */
  async function visibleSite(session: SessionInfo, siteId: string): Promise<Site> {
    const found = await queries.visibleSite(db, siteId, session.userId, seesAll(session));
    return found ? siteResponse(found, config) : fail('not_found');
  }

  /** A copy contains everything of a site, like its archive, so that it needs the same right. */
  async function mayCopy(session: SessionInfo, siteId: string): Promise<boolean> {
    const site = await siteAccess(ctx)(session, siteId);
    return site !== null && site.row.state !== 'deleted' && mayOnSite(site.role, 'site.compose');
  }

  route(app, ctx, endpoints.load, async ({ session }) => ({ sites: await sitesOf(ctx, session), intls: [...languages()] }));

  registerList(app, ctx, areas);

  route(app, ctx, endpoints.createSite, async (call) => {
    const { session, body } = call;
    // The new site would not be accessible with the token that created it.
    if (session.token?.siteIds) fail('forbidden');
    const { starter, copyFrom, ...input } = body;
    if (copyFrom !== undefined && !(await mayCopy(session, copyFrom))) return fail('not_found');
    const site = await createSite(ctx, input, { actor: actorOf(call) });
    if (site.purpose === 'built' && (starter ?? copyFrom) !== undefined)
      await enqueue(ctx, 'site.starter', {
        siteId: site.id,
        label: site.name,
        input: { starter: starter ?? null, copyFrom: copyFrom ?? null, userId: session.userId, locale: session.locale },
        cancellable: false,
        createdBy: session.userId,
      });
    return siteResponse({ site, role: 'admin', pinned: false, support: false }, config);
  });

  route(app, ctx, endpoints.site, ({ session, site }) => visibleSite(session, site.id));

  route(app, ctx, endpoints.changeSite, async (call) => {
    const { session, site, body, ifMatch } = call;
    if (body.timeZone !== undefined && !isTimeZone(body.timeZone)) failField('timeZone', 'not_a_time_zone');
    if (body.url === null && site.row.purpose === 'external') failField('url', 'required');
    const change: Partial<SiteRecord> = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    if (!(await changeSite(ctx, site.id, ifMatch(), change, actorOf(call)))) return fail('stale_revision', { current: await visibleSite(session, site.id) });
    return visibleSite(session, site.id);
  });

  type SiteCall = Parameters<typeof moverOf>[0] & { readonly site: { readonly id: string } };
  const moveDemo = (call: SiteCall, move: Parameters<typeof moveOtherDemoSites>[2]): Promise<void> =>
    moveOtherDemoSites(ctx, call.site.id, move, { ...moverOf(call), session: call.session, accessTo: siteAccess(ctx) });

  route(app, ctx, endpoints.setSiteState, async (call) => {
    const { body } = call;
    await moveSite(ctx, call.site.id, body.to, { ...moverOf(call), reason: body.to === 'suspended' ? body.reason : null });
    const { row } = call.site;
    if (row.demo && row.state === 'deleted' && body.to === 'open') await moveDemo(call, { to: 'open', binned: row.deletedAt });
    return visibleSite(call.session, call.site.id);
  });

  route(app, ctx, endpoints.deleteSite, async (call) => {
    const { session, site, body } = call;
    if (body.confirm.normalize('NFC').trim() !== site.row.name) fail('confirm_mismatch');
    // Removing the demo site needs no more than one click: it can be restored from the bin for 30 days, even if it measures a real website.
    if (!site.row.demo) requireProof(ctx, session);
    await moveSite(ctx, site.id, 'deleted', moverOf(call));
    if (site.row.demo) await moveDemo(call, { to: 'deleted' });
    return visibleSite(session, site.id);
  });

  route(app, ctx, baseEndpoints.siteBase, (call) => readBase(ctx, call));
  route(app, ctx, baseEndpoints.changeSiteBase, (call) => changeBase(ctx, call));
  route(app, ctx, baseEndpoints.renewBypass, (call) => renewBypass(ctx, call));
  route(app, ctx, baseEndpoints.visitSite, ({ site, session, reply }) => {
    const address = systemHostOf(site.row, config) ?? fail('not_found');
    return reply.header('cache-control', 'no-store').redirect(`${address}/_site/enter?token=${handOver(ctx, site.id, session.userId)}`, 303);
  });

  route(app, ctx, endpoints.pinSite, async ({ session, site, body }) => {
    await (body.pinned ? queries.pin(db, site.id, session.userId, now()) : queries.unpin(db, site.id, session.userId));
    // Only this person's other tabs need to update.
    ctx.live.publish({ type: 'user', userId: session.userId });
    return visibleSite(session, site.id);
  });
}

/** The sites area. `areas`: all areas, which erase their data of a site; evaluated when a site is purged. */
export const sitesArea = (areas: () => readonly Area[]): Area => ({
  register,
  erasePerson,
  exportPerson,
  jobs: [sitePurge(areas)],
  schedules: [{ name: 'sites.purge', every: 3_600_000, run: purgeSites }],
});
