import type { ReferrerSpam } from '../../../contract/measuring/referrerSpam';
import { spamHosts } from './spamHosts';

/** Whether a list contains a host or one of its parent domains. */
function listed(host: string, list: { readonly has: (host: string) => boolean }): boolean {
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
    if (list.has(name)) return true;
    if (!name.includes('.')) return false;
  }
  return false;
}

const asSet = (list: readonly string[]) => ({ has: (host: string): boolean => list.includes(host) });

/** Whether a referrer is spam under the site's settings; the site's own hosts never are. */
export const isReferrerSpam = (host: string, { on, hosts, exceptions }: ReferrerSpam, own: readonly string[]): boolean =>
  on && host !== '' && !own.includes(host) && !listed(host, asSet(exceptions)) && (listed(host, spamHosts) || listed(host, asSet(hosts)));
