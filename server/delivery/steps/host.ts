import { plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Arrival } from '../step';
import type { FastifyRequest } from 'fastify';
import type { IndexedSite } from '../../areas/sites';

/** A permanent redirect that was wrong can be taken back after an hour. */
const cachedFor = 'public, max-age=3600';

const redirect = (status: number, location: string, cacheControl: string): DeliveryResponse =>
  plainResponse(status, `${location}\n`, { location, 'cache-control': cacheControl });

/** The port that the visitor used, if it is not the usual one: it is kept as long as the scheme is. */
export const portOf = (request: FastifyRequest): string => /:\d{1,5}$/.exec(request.host)?.[0] ?? '';

/** Leads to the right host and scheme in one hop, keeping path and query where the hostname is set to. Previews stay on the system host. */
export const host = ({ site, path, query, request, host: visited }: Arrival): DeliveryResponse | null => {
  if (path.startsWith('/_p/')) return null;
  const requested = visited ?? '';
  const received = request.protocol;
  const found = site.hostnames.get(requested);
  const tail = query === '' ? path : `${path}?${query}`;
  if (found === undefined) {
    const primary = [...site.hostnames.values()].find(({ role }) => role === 'primary');
    // Temporary, because the hostname may be removed again.
    return primary === undefined || site.origin === null ? null : redirect(307, `${site.origin}${tail}`, 'no-store');
  }
  const target = found.target === null ? found : (site.hostnames.get(found.target) ?? found);
  const next = target.forceHttps ? 'https' : received;
  if (target.host === requested && next === received) return null;
  const location = `${next}://${target.host}${next === received ? portOf(request) : ''}${found.keepPath || target.host === requested ? tail : '/'}`;
  const permanent = found.redirectCode === 301 || found.redirectCode === 308 || target.host === requested;
  return redirect(target.host === requested ? 308 : found.redirectCode, location, permanent ? cachedFor : 'no-store');
};

/** `Strict-Transport-Security` of a host; null: none. Browsers ignore it over http. */
export function hstsOf(site: IndexedSite, visited: string, request: FastifyRequest): string | null {
  const { hsts, forceHttps } = site.hostnames.get(visited) ?? {};
  if (hsts === undefined || forceHttps !== true || hsts.maxAge === 0 || request.protocol !== 'https') return null;
  return [`max-age=${hsts.maxAge}`, ...(hsts.subdomains ? ['includeSubDomains'] : []), ...(hsts.preload ? ['preload'] : [])].join('; ');
}
