import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { hostnameEndpoints as endpoints } from '../../../contract/hostnames/schemas';
import type { Hostname } from '../../../contract/hostnames/schemas';
import { hostnameLimits } from '../../../contract/hostnames/terms';
import type { SiteFigures } from '../../../contract/sites/list';
import { isOpen } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { createThrottle } from '../../kit/throttle';
import { MINUTE } from '../../zone';
import type { Area, FiguredSite } from '../area';
import { checkNow, startHostnameChecker } from './checker';
import { addHostname, changeHostname, listHostnames, makePrimary, readOne, removeHostname } from './hostnames';
import * as queries from './queries';
import { hostnameResponse } from './responses';
import { removeCertificate, uploadCertificate } from './tls/certificates';
import { startIssuer } from './tls/issuer';

export { readHostname, unicodeOf } from './input';
export { hostsOf, ownsHost } from './queries';
export { acmeAccount } from './tls/acmeClient';
export { createTlsAsk } from './tls/ask';
export { probeAnswer, probePath } from './probe';
export { createTlsListener } from './tls/listener';
export { servesTls } from './tls/certificates';

/** Hostnames of a site as readers see them, the primary one first. */
export const listedHostnames = async (ctx: Pick<Context, 'postgres'>, siteId: string): Promise<z.input<typeof Hostname>[]> =>
  (await queries.listHostnames(ctx.postgres.db, siteId)).map(hostnameResponse);

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);

  async function check({ site, params }: CallOf<typeof endpoints.checkHostname>) {
    const found = (await queries.findHostname(db, site.id, params.id)) ?? fail('not_found');
    await throttle.limit(`hostname ${found.row.id}`, 1, hostnameLimits.checkEvery);
    const leaseUntil = new Date(ctx.now() + MINUTE);
    // Setting up begins anew, so that automatic checks run often again.
    const row = (await queries.updateHostname(db, found.row.id, { leaseId: randomUUID(), leaseUntil, checks: 0 })) ?? fail('not_found');
    const { id, name, slug, purpose, timeZone } = site.row;
    await checkNow(ctx, { row, site: { id, name, slug, purpose, timeZone } }, AbortSignal.timeout(MINUTE));
    return readOne(ctx, site.id, params.id);
  }

  route(app, ctx, endpoints.hostnames, (call) => listHostnames(ctx, call));
  route(app, ctx, endpoints.addHostname, (call) => addHostname(ctx, call));
  route(app, ctx, endpoints.changeHostname, (call) => changeHostname(ctx, call));
  route(app, ctx, endpoints.removeHostname, (call) => removeHostname(ctx, call));
  route(app, ctx, endpoints.checkHostname, (call) => check(call));
  route(app, ctx, endpoints.makePrimary, (call) => makePrimary(ctx, call));
  route(app, ctx, endpoints.uploadCertificate, (call) => uploadCertificate(ctx, call));
  route(app, ctx, endpoints.removeCertificate, (call) => removeCertificate(ctx, call));
}

/** Figures of the list of sites: the certificates of their hostnames. */
async function siteFigures(ctx: Context, sites: readonly FiguredSite[]): Promise<ReadonlyMap<string, Pick<SiteFigures, 'certificate'>>> {
  const found = await queries.certificatesOf(
    ctx.postgres.db,
    sites.filter(({ state }) => isOpen(state)).map(({ id }) => id),
  );
  return new Map(found.map(({ siteId, until, failed }) => [siteId, { certificate: { until: until === null ? null : new Date(until).toISOString(), failed } }]));
}

export const area: Area = {
  register,
  siteFigures: { source: 'certificates', action: 'site.read', token: 'site:read', read: siteFigures },
  services: [(ctx) => startHostnameChecker(ctx), (ctx) => startIssuer(ctx)],
  schedules: [{ name: 'hostnames.sweep', every: 3_600_000, run: async (ctx) => void (await queries.endQuarantines(ctx.postgres.db, new Date(ctx.now()))) }],
  siteTopics: [{ kind: 'hostnames', action: 'site.read', events: ['hostnames'] }],
  eraseSite: async (tx, siteId) => void (await queries.quarantineSite(tx, siteId, hostnameLimits.quarantineDays)),
};
