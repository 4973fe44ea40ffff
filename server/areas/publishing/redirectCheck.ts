import type { Redirect } from '../../../contract/publishing/redirects';
import { redirectProblems } from '../../../contract/seo/redirectGraph';
import type { HostRule, RedirectSite } from '../../../contract/seo/redirectGraph';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { readIndexedSite } from '../sites';
import type { IndexedSite } from '../sites';

const hostOf = (origin: string): string => new URL(origin).hostname;

/** Hosts of a delivered site as redirects meet them; null: its pages are hosted elsewhere. */
export function redirectSiteOf({ origin, servedHost, formerHosts, hostnames }: IndexedSite): RedirectSite | null {
  if (origin === null) return null;
  const primary = hostOf(origin);
  const to = (host: string): HostRule => ({ redirectsTo: host === primary ? null : primary, keepPath: true });
  return {
    primary,
    hosts: new Map([
      ...[...formerHosts, ...(servedHost === null ? [] : [servedHost])].map((host) => [host, to(host)] as const),
      ...[...hostnames.values()].map(({ host, target, keepPath }) => [host, { redirectsTo: target === host ? null : target, keepPath }] as const),
      [primary, { redirectsTo: null, keepPath: true }] as const,
    ]),
  };
}

/** Locations of a loop that a refusal names. */
const mostNamed = 6;

/** Throws `invalid_fields` for redirects that go round, also by way of a redirecting hostname, with the way that they take. */
export async function refuseLoops(ctx: Context, siteId: string, redirects: readonly Redirect[]): Promise<void> {
  const site = await readIndexedSite(ctx, siteId);
  const graph = site && redirectSiteOf(site);
  const loops = redirectProblems(
    redirects,
    graph ?? { primary: 'site.invalid', hosts: new Map([['site.invalid', { redirectsTo: null, keepPath: true }]]) },
  ).filter(({ code }) => code === 'loop' || code === 'endless');
  if (loops.length === 0) return;
  const fields = loops.slice(0, 100).map(({ index, locations }) => {
    const way = [redirects[index]?.from ?? '', ...locations.slice(0, mostNamed)].join(' → ');
    return [`${String(index)}.to`, { code: 'loop' as const, message: locations.length > mostNamed ? `${way} → …` : way }] as const;
  });
  fail('invalid_fields', { fields: Object.fromEntries(fields) });
}
