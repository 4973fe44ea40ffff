import type { Config } from '../../config';
import { systemHostOf } from '../sites';
import type { MonitoredSite } from './queries';

/** Where a site is: for one that is built here, the address at which this program serves it. */
export const addressOf = ({ deliveryPort }: Pick<Config, 'deliveryPort'>, site: Pick<MonitoredSite, 'purpose' | 'slug' | 'url'>): string =>
  systemHostOf(site, deliveryPort) ?? site.url ?? '';

export type Target = {
  readonly url: URL;
  /** Host and port under which this program serves the site; null when its pages live elsewhere. */ readonly servedHost: string | null;
};

/** What a check asks for. `path` begins with a slash, or is empty for the site's own address. */
export function targetOf(config: Pick<Config, 'deliveryPort'>, site: MonitoredSite, path: string): Target {
  const address = new URL(addressOf(config, site));
  const served = systemHostOf(site, config.deliveryPort);
  // Joined as text: a path such as `//other.example/` would otherwise name another host.
  return { url: path === '' ? address : new URL(address.origin + path), servedHost: served === null ? null : new URL(served).host };
}
