import type { Config } from '../../config';
import { systemHostOf } from '../sites';
import type { MonitoredSite } from './queries';

/** The URL of a site; for a delivered site, the URL under which this program delivers it. */
export const addressOf = (config: Pick<Config, 'deliveryPort' | 'sitesUrl'>, site: Pick<MonitoredSite, 'purpose' | 'slug' | 'url'>): string =>
  systemHostOf(site, config) ?? site.url ?? '';

export type Target = {
  readonly url: URL;
  /** Host and port under which this program delivers the site; null if its pages are hosted elsewhere. */ readonly servedHost: string | null;
};

/** The target of a check. `path` begins with a slash, or is empty for the site's own URL. */
export function targetOf(config: Pick<Config, 'deliveryPort' | 'sitesUrl'>, site: MonitoredSite, path: string): Target {
  const address = new URL(addressOf(config, site));
  const served = systemHostOf(site, config);
  // Concatenated as text: a path such as `//other.example/` would otherwise name another host.
  return { url: path === '' ? address : new URL(address.origin + path), servedHost: served === null ? null : new URL(served).host };
}
