import { completeMeasuring } from '../../../contract/measuring/schemas';
import type { MeasuringInput } from '../../../contract/measuring/schemas';
import type { Site } from '../../../contract/sites/schemas';
import type { Maintenance } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import * as queries from './queries';
import { systemHostFor, systemHostOf } from './responses';

/** The part of a site that request handling and collection need. */
export type IndexedSite = {
  readonly id: string;
  readonly timeZone: string;
  readonly identity: Site['identity'];
  readonly state: Site['state'];
  readonly url: string | null;
  readonly slug: string;
  readonly name: string;
  readonly defaultLang: string;
  /** Host name under which this program delivers the site; null if its pages are hosted elsewhere. */
  readonly servedHost: string | null;
  /** Earlier host names that lead to `servedHost`. */
  readonly formerHosts: readonly string[];
  readonly visibility: Site['visibility'];
  readonly passwordHash: string | null;
  readonly maintenance: Maintenance;
  readonly bypassNumber: number;
  /** The site's own host names, lower case, without port. */
  readonly hosts: readonly string[];
  /** Measuring settings. */
  readonly measuring: Measuring;
};
export type Measuring = Omit<MeasuringInput, 'identity' | 'bots'>;

export type SiteIndex = {
  /** From memory. null: unknown site (a site just created in another process may require `find`). */
  readonly get: (siteId: string) => IndexedSite | null;
  /** Like `get`, but queries PostgreSQL once for an unknown id; an id that does not exist is remembered for a while. */
  readonly find: (siteId: string) => Promise<IndexedSite | null>;
  /** Reads the site from PostgreSQL. */
  readonly refresh: (siteId: string) => Promise<IndexedSite | null>;
  readonly all: () => IndexedSite[];
  /** The site that this program delivers under a host name (lower case, without port), or delivered until lately. */
  readonly servedAt: (host: string) => IndexedSite | null;
  readonly close: () => void;
};

/** Periodic refresh, in case a notification was lost while the connection was down. */
const refreshEvery = 60_000;
const unknownFor = 10_000;
const mostUnknown = 10_000;

function indexed({ site: row, settings, formerSlugs }: queries.MeasuredSite, deliveryPort: number): IndexedSite {
  const measuring: Measuring = completeMeasuring(settings);
  const hosts = new Set<string>();
  const served = systemHostOf(row, deliveryPort);
  for (const address of [row.url, served]) {
    if (address === null || !URL.canParse(address)) continue;
    const host = new URL(address).hostname.toLowerCase();
    hosts.add(host);
    // The www name and the bare name count as one site.
    if (address === row.url) hosts.add(host.startsWith('www.') ? host.slice(4) : `www.${host}`);
  }
  return {
    id: row.id,
    timeZone: row.timeZone,
    identity: row.identity,
    state: row.state,
    url: row.url,
    slug: row.slug,
    name: row.name,
    defaultLang: row.defaultLang,
    servedHost: served === null ? null : new URL(served).hostname,
    formerHosts: served === null ? [] : formerSlugs.map((slug) => new URL(systemHostFor(slug, deliveryPort)).hostname),
    visibility: row.visibility,
    passwordHash: row.passwordHash,
    maintenance: row.maintenance,
    bypassNumber: row.bypassNumber,
    hosts: [...new Set([...hosts, ...measuring.hosts])],
    measuring,
  };
}

/** All sites in memory, kept up to date by live events of all processes. */
export async function openSiteIndex(ctx: Context): Promise<SiteIndex> {
  const { db } = ctx.postgres;
  let byId = new Map<string, IndexedSite>();
  /** Built from `byId` on first use after a change. */
  let byHost: Map<string, IndexedSite> | null = null;
  const unknown = new Map<string, number>();

  async function refresh(): Promise<void> {
    const rows = await queries.measuredSites(db, new Date(ctx.now()));
    byId = new Map(rows.map((row) => [row.site.id, indexed(row, ctx.config.deliveryPort)]));
    byHost = null;
    unknown.clear();
  }
  async function refreshOne(siteId: string): Promise<IndexedSite | null> {
    const [row] = await queries.measuredSites(db, new Date(ctx.now()), siteId);
    if (!row) byId.delete(siteId);
    else byId.set(siteId, indexed(row, ctx.config.deliveryPort));
    byHost = null;
    unknown.delete(siteId);
    return byId.get(siteId) ?? null;
  }
  const tolerate = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => ctx.log.warn('The index of sites could not be refreshed; the old one stays in use', { error }));

  const stop = ctx.live.subscribe((event) => {
    if (event.type === 'site') tolerate(refreshOne(event.siteId));
  });
  const timer = setInterval(() => tolerate(refresh()), refreshEvery);
  timer.unref();
  await refresh();

  return {
    get: (siteId) => byId.get(siteId) ?? null,
    async find(siteId) {
      const known = byId.get(siteId);
      if (known) return known;
      const now = ctx.now();
      if (now - (unknown.get(siteId) ?? -Infinity) < unknownFor) return null;
      const found = await refreshOne(siteId);
      if (!found) {
        // Bounded, because site ids come from untrusted requests.
        if (unknown.size >= mostUnknown) unknown.clear();
        unknown.set(siteId, now);
      }
      return found;
    },
    refresh: refreshOne,
    all: () => [...byId.values()],
    servedAt(host) {
      byHost ??= new Map(
        [...byId.values()].flatMap((site) => (site.servedHost === null ? [] : [site.servedHost, ...site.formerHosts]).map((one) => [one, site])),
      );
      return byHost.get(host) ?? null;
    },
    close() {
      clearInterval(timer);
      stop();
    },
  };
}
