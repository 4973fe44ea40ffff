import { isIndexed } from '../../../contract/sites/terms';
import { gate } from '../../areas/sites';
import { addressMatcher, clientAddress } from '../../http/address';
import { mayEnterPrivate, passIn } from '../gate';
import { maintenancePage, passwordPage, privatePage, suspendedPage } from '../gatePages';
import { closedPage } from '../pages';
import { pageResponse, plainResponse } from '../response';
import type { DeliveryResponse } from '../response';
import type { Arrival } from '../step';
import { portOf } from './host';

/** An hour, so that an address that is used for another site later does not lead here for long. */
const redirectFor = 3600;

/** Earlier addresses of a site lead to the present one. */
function fromFormerHost({ site, request, host, path, query }: Arrival): DeliveryResponse | null {
  if (host === null || site.servedHost === null || host === site.servedHost || !site.formerHosts.includes(host)) return null;
  const location = `${request.protocol}://${site.servedHost}${portOf(request)}${path}${query === '' ? '' : `?${query}`}`;
  return plainResponse(301, '', { location, 'cache-control': `public, max-age=${redirectFor}` });
}

/** Sites out of use. */
function closed(arrival: Arrival): DeliveryResponse | null {
  const { site } = arrival;
  if (site.state === 'suspended') return suspendedPage(arrival);
  if (site.state !== 'archived' && site.state !== 'deleted') return null;
  const gone = site.state === 'deleted';
  return pageResponse(gone ? 410 : 404, closedPage(site, gone), 'no-store');
}

/** Whether a visitor has one of the addresses that get a site during maintenance. */
const isAdmitted = ({ maintenance: { addresses = [] } }: Arrival['site'], request: Arrival['request']): boolean =>
  addresses.length > 0 && addressMatcher(addresses)(clientAddress(request));

async function lockedToOthers(arrival: Arrival): Promise<DeliveryResponse | null> {
  const { ctx, site, request } = arrival;
  return (await mayEnterPrivate(ctx, site, passIn(request, 'person'))) ? null : privatePage(arrival);
}

/** Visitors who may not enter a site that is not open to everybody. */
function locked(arrival: Arrival): DeliveryResponse | null | Promise<DeliveryResponse | null> {
  const { ctx, site, request, path, query } = arrival;
  if (site.state === 'maintenance' && !gate.isBypassPass(ctx, site, passIn(request, 'bypass')) && !isAdmitted(site, request)) return maintenancePage(arrival);
  if (site.visibility === 'password' && !gate.isPasswordPass(ctx, site, passIn(request, 'password')))
    return passwordPage(arrival, `${path}${query === '' ? '' : `?${query}`}`);
  return site.visibility === 'private' ? lockedToOthers(arrival) : null;
}

/** Decides by the state and the visibility of a site whether its pages and files are delivered. Robots are told so without entering. */
export function state(arrival: Arrival): DeliveryResponse | null | Promise<DeliveryResponse | null> {
  const refused = fromFormerHost(arrival) ?? closed(arrival);
  if (refused) return refused;
  if (arrival.path === '/robots.txt' && !isIndexed(arrival.site))
    return plainResponse(200, 'User-agent: *\nDisallow: /\n', { 'cache-control': 'public, max-age=300' });
  return locked(arrival);
}
