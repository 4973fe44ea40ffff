import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '../../contract/endpoint';
import { isOpen } from '../../contract/sites/terms';
import { parseUrl } from '../../contract/parseUrl';
import { fitsHost } from '../net/hostPattern';
import type { VisitedSite } from './access';
import { addressGroup, clientAddress } from './address';
import { fail } from './failure';

const minute = 60_000;
/** How long a browser may cache the response to a preflight request, in seconds. */
const preflightFor = 600;

type VisitorAccess = Extract<Access, { readonly visitors: unknown }>;

/** The access of an endpoint for visitors; null for every other endpoint. */
export const visitorAccess = ({ access }: Pick<Endpoint, 'access'>): VisitorAccess | null =>
  typeof access === 'object' && 'visitors' in access ? access : null;

const siteIdOf = (request: FastifyRequest): string => (request.params as { readonly siteId?: string }).siteId ?? '';

/** Whether an origin belongs to the site. The opaque origin `null` (a sandboxed frame, a local file) belongs to no site. */
function isOriginOf(origin: string, { hosts }: VisitedSite): boolean {
  const url = parseUrl(origin);
  if (url === null) return false;
  const { protocol, hostname } = url;
  return /^https?:$/.test(protocol) && fitsHost(hostname, hosts);
}

/**
 * The access check of endpoints for visitors. Neither cookies nor tokens are read, so a forged request gains nothing; `Origin`, if sent by the browser, must be
 * a hostname of the site. Throws `not_found` unless the site is in use, `bad_origin` and `too_many_requests`.
 */
export function visitorCheck(app: FastifyInstance, { visitors }: VisitorAccess): (request: FastifyRequest) => Promise<void> {
  const ofSite = app.createRateLimit({ max: visitors.perSitePerMinute, timeWindow: minute, keyGenerator: siteIdOf });
  return async (request) => {
    const site = await app.accessSource.visitedSite(siteIdOf(request));
    if (site === null || !isOpen(site.state)) return fail('not_found');
    const { origin } = request.headers;
    if (origin !== undefined && !isOriginOf(origin, site)) fail('bad_origin');
    request.visitedSite = site;
    const limit = await ofSite(request);
    if (!limit.isAllowed && limit.isExceeded) fail('too_many_requests', { retryAfter: Math.max(1, limit.ttlInSeconds) });
  };
}

/**
 * Lets pages of the site read the response, also of a refusal. A site that is not in memory is not looked up, because the request may have been refused by the
 * rate limit.
 */
export async function allowSiteOrigin(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.header('vary', 'origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  const site = request.visitedSite ?? (await app.accessSource.visitedSite(siteIdOf(request), { inMemory: true }));
  if (site !== null && isOpen(site.state) && isOriginOf(origin, site))
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'etag, retry-after, x-request-id' });
}

/** Responds to the preflight requests of a path, once for all of its endpoints. */
export function registerPreflight(app: FastifyInstance, endpoint: Endpoint): void {
  const { path: url } = endpoint;
  if (app.hasRoute({ method: 'OPTIONS', url })) return;
  app.route({
    method: 'OPTIONS',
    url,
    config: {
      endpoint,
      rateLimit: { max: endpoint.ratePerMinute ?? 600, timeWindow: minute, keyGenerator: (request) => addressGroup(clientAddress(request)) },
    },
    onSend: (request, reply) => allowSiteOrigin(app, request, reply),
    handler: async (request, reply) => {
      request.visitedSite = await app.accessSource.visitedSite(siteIdOf(request));
      const methods = app.routeTable.flatMap((row) => (row.url === url && row.endpoint && visitorAccess(row.endpoint) ? [row.endpoint.method] : []));
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': [...new Set(methods)].join(', '),
          'access-control-allow-headers': 'content-type, if-match, if-none-match',
          'access-control-max-age': String(preflightFor),
        })
        .send();
    },
  });
}
