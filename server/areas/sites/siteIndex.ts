import { completeMeasuring } from '../../../contract/measuring/schemas';
import type { MeasuringInput } from '../../../contract/measuring/schemas';
import type { Site } from '../../../contract/sites/schemas';
import type { Maintenance } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import type { Hsts, HostnameRole, RedirectCode } from '../../../contract/hostnames/terms';
import { parseUrl } from '../../../contract/parseUrl';
import * as queries from './queries';
import { systemHostFor, systemHostOf } from './responses';

/** A hostname under which visitors get a site. */
export type ServedHostname = {
  readonly id: string;
  readonly host: string;
  /** The registrable domain. */
  readonly apex: string;
  /** With its scheme, without a slash at the end. */
  readonly origin: string;
  readonly role: HostnameRole;
  /** The host that it redirects to; null: it serves the site. */
  readonly target: string | null;
  readonly redirectCode: RedirectCode;
  readonly keepPath: boolean;
  readonly forceHttps: boolean;
  readonly hsts: Hsts;
};

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
  /** Its own hostnames, by host. */
  readonly hostnames: ReadonlyMap<string, ServedHostname>;
  /** Origin of its main address: the primary hostname, else the system host; null if its pages are hosted elsewhere. */
  readonly origin: string | null;
  /** Earlier host names that lead to `servedHost`. */
  readonly formerHosts: readonly string[];
  readonly visibility: Site['visibility'];
  readonly passwordHash: string | null;
  readonly maintenance: Maintenance;
  readonly bypassNumber: number;
  readonly previewNumber: number;
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

const originOf = ({ host, forceHttps, tls }: queries.SiteHostname): string =>
  `${forceHttps || tls === 'active' || tls === 'renewing' ? 'https' : 'http'}://${host}`;

function servedHostnames(rows: readonly queries.SiteHostname[]): ReadonlyMap<string, ServedHostname> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const primary = rows.find(({ role }) => role === 'primary');
  const targetOf = ({ role, redirectTo }: queries.SiteHostname): string | null => {
    if (role !== 'redirect') return null;
    const chosen = redirectTo === null ? undefined : byId.get(redirectTo);
    // A target that redirects itself would send visitors in circles.
    return (chosen !== undefined && chosen.role !== 'redirect' ? chosen : primary)?.host ?? null;
  };
  return new Map(
    rows.map((row) => {
      const { id, host, apex, role, redirectCode, keepPath, forceHttps, hsts } = row;
      return [host, { id, host, apex, origin: originOf(row), role, target: targetOf(row), redirectCode, keepPath, forceHttps, hsts }];
    }),
  );
}

function indexed({ site: row, settings, formerSlugs }: queries.MeasuredSite, rows: readonly queries.SiteHostname[], config: Context['config']): IndexedSite {
  const measuring: Measuring = completeMeasuring(settings);
  const hosts = new Set<string>();
  const served = systemHostOf(row, config);
  for (const address of [row.url, served]) {
    const host = parseUrl(address ?? '')?.hostname.toLowerCase();
    if (host === undefined) continue;
    hosts.add(host);
    // The www name and the bare name count as one site.
    if (address === row.url) hosts.add(host.startsWith('www.') ? host.slice(4) : `www.${host}`);
  }
  const hostnames = servedHostnames(rows);
  for (const host of hostnames.keys()) hosts.add(host);
  const primary = rows.find(({ role }) => role === 'primary');
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
    hostnames,
    origin: primary ? originOf(primary) : served,
    formerHosts: served === null ? [] : formerSlugs.map((slug) => new URL(systemHostFor(slug, config)).hostname),
    visibility: row.visibility,
    passwordHash: row.passwordHash,
    maintenance: row.maintenance,
    bypassNumber: row.bypassNumber,
    previewNumber: row.previewNumber,
    hosts: [...new Set([...hosts, ...measuring.hosts])],
    measuring,
  };
}

const deliveredHosts = ({ servedHost, formerHosts, hostnames }: IndexedSite): string[] =>
  servedHost === null ? [] : [servedHost, ...formerHosts, ...hostnames.keys()];

/** Runs works with the same key one after the other, so that the last one sees the latest state. `keys`: of those that have not ended. */
function openQueues<T>(): { readonly run: (key: string, work: () => Promise<T>) => Promise<T>; readonly keys: () => Iterable<string> } {
  const latest = new Map<string, Promise<T>>();
  return {
    keys: () => latest.keys(),
    run(key, work) {
      const before: Promise<unknown> = latest.get(key) ?? Promise.resolve();
      const own = before.then(work, work);
      latest.set(key, own);
      const forget = (): void => {
        if (latest.get(key) === own) latest.delete(key);
      };
      void own.then(forget, forget);
      return own;
    },
  };
}

/** One site as the index has it, read from PostgreSQL; null if there is none. */
export async function readIndexedSite(ctx: Pick<Context, 'config' | 'now' | 'postgres'>, siteId: string): Promise<IndexedSite | null> {
  const { db } = ctx.postgres;
  const [[row], hostnames] = await Promise.all([queries.measuredSites(db, new Date(ctx.now()), siteId), queries.servedHostnames(db, siteId)]);
  return row ? indexed(row, hostnames, ctx.config) : null;
}

/** All sites in memory, kept up to date by live events of all processes. */
export async function openSiteIndex(ctx: Context): Promise<SiteIndex> {
  const { db } = ctx.postgres;
  let byId = new Map<string, IndexedSite>();
  /** Every host of every delivered site. A change of one site replaces its hosts only, so that a look-up costs the same with any number of sites. */
  let byHost = new Map<string, IndexedSite>();
  const unknown = new Map<string, number>();
  const reading = openQueues<IndexedSite | null>();
  /** Sites that were read since the reading of all sites began. */
  let readMeanwhile: Set<string> | null = null;

  async function refresh(): Promise<void> {
    const meanwhile = new Set(reading.keys());
    readMeanwhile = meanwhile;
    const [rows, hostnames] = await Promise.all([queries.measuredSites(db, new Date(ctx.now())), queries.servedHostnames(db)]);
    const ofSite = new Map<string, queries.SiteHostname[]>();
    for (const one of hostnames) {
      const own = ofSite.get(one.siteId);
      if (own) own.push(one);
      else ofSite.set(one.siteId, [one]);
    }
    byId = new Map(rows.map((row) => [row.site.id, indexed(row, ofSite.get(row.site.id) ?? [], ctx.config)]));
    byHost = new Map([...byId.values()].flatMap((site) => deliveredHosts(site).map((host) => [host, site] as const)));
    unknown.clear();
    // Their rows may be older here than what was read meanwhile: a site that was closed must not open again.
    if (readMeanwhile === meanwhile) readMeanwhile = null;
    for (const siteId of meanwhile) tolerate(refreshOne(siteId));
  }
  function refreshOne(siteId: string): Promise<IndexedSite | null> {
    readMeanwhile?.add(siteId);
    return reading.run(siteId, () => readOne(siteId));
  }
  async function readOne(siteId: string): Promise<IndexedSite | null> {
    const site = await readIndexedSite(ctx, siteId);
    const before = byId.get(siteId);
    for (const host of before ? deliveredHosts(before) : []) if (byHost.get(host)?.id === siteId) byHost.delete(host);
    if (site) byId.set(siteId, site);
    else byId.delete(siteId);
    if (site) for (const host of deliveredHosts(site)) byHost.set(host, site);
    unknown.delete(siteId);
    return byId.get(siteId) ?? null;
  }
  const tolerate = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => ctx.log.warn('The index of sites could not be refreshed; the old one stays in use', { error }));

  const stop = ctx.live.subscribe((event) => {
    if (event.type === 'site' || event.type === 'hostnames') tolerate(refreshOne(event.siteId));
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
    servedAt: (host) => byHost.get(host) ?? null,
    close() {
      clearInterval(timer);
      stop();
    },
  };
}
