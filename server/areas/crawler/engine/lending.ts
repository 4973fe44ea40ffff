import { discover } from './crawlState';
import type { CrawlState } from './crawlState';
import type { CrawlHost } from './batchWriter';
import type { FrontierEntry } from './frontier';
import type { HostLimits } from './governor';
import type { PageReport, ReadResult } from './protocol';

/** Addresses that are lent at once: what a worker reads in some seconds. */
const batch = { most: 200, least: 20, seconds: 4 } as const;

type Lease = { readonly host: string; readonly share: HostLimits; entries: ReadonlyMap<number, FrontierEntry> | null; isRecalled: boolean };
type Crawling = {
  /** Takes addresses of a host out of the frontier; each counts as a page that is being requested until `ended`. */
  readonly admitted: (host: string, most: number) => FrontierEntry[];
  readonly ended: () => void;
  readonly retry: (entry: FrontierEntry) => void;
  readonly pump: () => void;
};

/** Lends addresses to other workers, and puts what they return into the state of the crawl. */
export function createLending(state: CrawlState, host: Pick<CrawlHost, 'lend' | 'recall'>, crawl: Crawling) {
  /** By id; those without entries wait until requests of this process have made way for them. */
  const leases = new Map<string, Lease>();
  let offers: readonly string[] = [];
  let helpers = 0;

  function end(id: string): Lease | null {
    const lease = leases.get(id);
    if (lease === undefined) return null;
    leases.delete(id);
    state.governor.release(lease.host, lease.share);
    for (const _ of lease.entries ?? []) crawl.ended();
    return lease;
  }

  /** The verified host with the most addresses that wait. */
  function largestHost(): string | null {
    let [largest, most] = [null as string | null, 0];
    for (const name of state.frontier.hosts()) {
      const waiting = state.frontier.waitingAt(name);
      if (waiting > most && state.isVerified(name)) [largest, most] = [name, waiting];
    }
    return largest;
  }
  const countFor = (name: string, { requestsPerSecond }: HostLimits): number =>
    Math.min(batch.most, Math.ceil(state.frontier.waitingAt(name) / (helpers + 1)), Math.ceil(requestsPerSecond * batch.seconds));

  function reserve(id: string): boolean {
    const name = largestHost();
    if (name === null || state.frontier.waitingAt(name) < batch.least * (helpers + 1)) return false;
    const share = state.governor.lend(name, state.now(), helpers + 1);
    if (share === null) return false;
    leases.set(id, { host: name, share, entries: null, isRecalled: false });
    return true;
  }

  function handOver(id: string, lease: Lease): void {
    const entries = crawl.admitted(lease.host, countFor(lease.host, lease.share));
    lease.entries = new Map(entries.map((entry) => [entry.id, entry]));
    if (entries.length === 0) return void end(id);
    host.lend?.(id, {
      entries: entries.map((entry) => ({ ...entry, base: state.base.get(entry.id) ?? null, inSitemap: state.inSitemap.has(entry.id) })),
      share: lease.share,
      addedHosts: state.scope.addedHosts(),
      charsets: [...state.charsets],
    });
  }

  /** Links of a page that another worker read, as `visit` does with those of its own. */
  function follow({ url, simhash, found }: PageReport): void {
    const family = state.families.of(url);
    let newLinks = 0;
    for (const one of found) {
      if (one.hops > 0 && one.depth === 0 && one.source === 'redirect') state.scope.addHost(one.url);
      const isNew = discover(state, one);
      if (isNew && one.source === 'link' && state.families.of(one.url) !== family) newLinks += 1;
    }
    if (simhash !== null) state.families.note(family, BigInt(simhash), newLinks);
  }

  function add({ pages, skipped, errors, bytes, needScripts, statuses, issues }: ReadResult['counters']): void {
    const { counters } = state;
    counters.pages += pages;
    counters.helped += pages;
    counters.skipped += skipped;
    counters.errors += errors;
    counters.bytes += bytes;
    counters.needScripts += needScripts;
    for (const [digit, count] of Object.entries(statuses)) counters.statuses[digit] = (counters.statuses[digit] ?? 0) + count;
    for (const severity of ['error', 'warning', 'notice'] as const) counters.issues[severity] += issues[severity];
  }

  /** Addresses that were not read wait again, or are tried later. */
  function putBack(entries: ReadonlyMap<number, FrontierEntry>, result: ReadResult | null): void {
    const read = new Set(result?.pages.map(({ id }) => id));
    const retries = new Set(result?.retries);
    for (const entry of entries.values()) {
      if (read.has(entry.id)) state.families.wait(state.families.of(entry.url), -1);
      else if (retries.has(entry.id)) crawl.retry(entry);
      else state.frontier.push(entry);
    }
  }

  return {
    helpers: (): number => helpers,
    /** Addresses that other workers have. */
    waiting: (): number => [...leases.values()].reduce((sum, { entries }) => sum + (entries?.size ?? 0), 0),
    offer(count: number, ids: readonly string[]): void {
      helpers = count;
      offers = ids;
      // An offer that was withdrawn before it was used.
      for (const [id, { entries }] of leases) if (entries === null && !ids.includes(id)) end(id);
      crawl.pump();
    },
    lend(): void {
      for (const id of offers) if (!leases.has(id) && !reserve(id)) break;
      if (offers.length > 0) offers = offers.filter((id) => !leases.has(id));
      for (const [id, lease] of leases) if (lease.entries === null && state.governor.isWithin(lease.host)) handOver(id, lease);
    },
    /** Calls back what was lent of a host, or everything. */
    recall(name?: string): void {
      const ids: string[] = [];
      for (const [id, lease] of leases) {
        if (lease.isRecalled || (name !== undefined && lease.host !== name)) continue;
        if (lease.entries === null) {
          end(id);
          continue;
        }
        lease.isRecalled = true;
        ids.push(id);
      }
      if (ids.length > 0) host.recall?.(ids);
    },
    /** `id` may be one that an earlier process of the run lent. */
    returned(id: string, result: ReadResult): void {
      const lease = end(id);
      if (lease?.entries) {
        for (const outcome of result.outcomes) state.governor.learn(lease.host, state.now(), outcome);
        if (result.outcomes.some(({ kind }) => kind === 'slow_down')) this.recall(lease.host);
        putBack(lease.entries, result);
      }
      for (const page of result.pages) follow(page);
      add(result.counters);
      state.batch.lease(id);
      crawl.pump();
    },
    /** Its worker is gone, and wrote nothing of it. */
    lost(id: string): void {
      const lease = end(id);
      if (lease?.entries) putBack(lease.entries, null);
      crawl.pump();
    },
  };
}
export type Lending = ReturnType<typeof createLending>;
