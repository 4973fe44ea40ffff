import { usualRender } from '../../../../contract/crawler/terms';
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
export class Lending {
  /** By id; those without entries wait until requests of this process have made way for them. */
  private readonly leases = new Map<string, Lease>();
  private offers: readonly string[] = [];
  /** Workers that help, or would. */
  private helping = 0;

  private readonly state: CrawlState;
  private readonly host: Pick<CrawlHost, 'lend' | 'recall'>;
  private readonly crawl: Crawling;
  constructor(state: CrawlState, host: Pick<CrawlHost, 'lend' | 'recall'>, crawl: Crawling) {
    this.state = state;
    this.host = host;
    this.crawl = crawl;
  }

  /** Workers that help now; one whose offer cannot be used does not. */
  helpers(): number {
    return this.leases.size;
  }
  /** Addresses that other workers have. */
  waiting(): number {
    return [...this.leases.values()].reduce((sum, { entries }) => sum + (entries?.size ?? 0), 0);
  }

  offer(count: number, ids: readonly string[]): void {
    this.helping = count;
    this.offers = ids;
    // An offer that was withdrawn before it was used.
    for (const [id, { entries }] of this.leases) if (entries === null && !ids.includes(id)) this.end(id);
    this.crawl.pump();
  }

  /** Lends what there is to spare. A crawl that is to run scripts of pages is read by its leader alone, whose browsers are what holds it up. */
  lend(): void {
    const { leases, state } = this;
    if ((state.config.render ?? usualRender).mode !== 'off') return;
    for (const id of this.offers) if (!leases.has(id) && !this.reserve(id)) break;
    if (this.offers.length > 0) this.offers = this.offers.filter((id) => !leases.has(id));
    for (const [id, lease] of leases) if (lease.entries === null && state.governor.isWithin(lease.host)) this.handOver(id, lease);
  }

  /** Calls back what was lent of a host, or everything. */
  recall(name?: string): void {
    const ids: string[] = [];
    for (const [id, lease] of this.leases) {
      if (lease.isRecalled || (name !== undefined && lease.host !== name)) continue;
      if (lease.entries === null) {
        this.end(id);
        continue;
      }
      lease.isRecalled = true;
      ids.push(id);
    }
    if (ids.length > 0) this.host.recall?.(ids);
  }

  /** `id` may be one that an earlier process of the run lent. */
  returned(id: string, result: ReadResult): void {
    const { state } = this;
    const lease = this.end(id);
    if (lease?.entries) {
      for (const outcome of result.outcomes) state.governor.learn(lease.host, state.now(), outcome);
      if (result.outcomes.some(({ kind }) => kind === 'slow_down')) this.recall(lease.host);
      this.putBack(lease.entries, result);
    }
    for (const page of result.pages) this.follow(page);
    this.count(result.counters);
    state.batch.lease(id);
    this.crawl.pump();
  }

  /** Its worker is gone, and wrote nothing of it. */
  lost(id: string): void {
    const lease = this.end(id);
    if (lease?.entries) this.putBack(lease.entries, null);
    this.crawl.pump();
  }

  private end(id: string): Lease | null {
    const lease = this.leases.get(id);
    if (lease === undefined) return null;
    this.leases.delete(id);
    this.state.governor.release(lease.host, lease.share);
    for (const _ of lease.entries ?? []) this.crawl.ended();
    return lease;
  }

  /** Verified hosts with enough addresses that wait for all workers, those with the most first. */
  private largeHosts(): string[] {
    const { frontier, isVerified } = this.state;
    const enough = batch.least * (this.helping + 1);
    const large = frontier.hosts().filter((name) => frontier.waitingAt(name) >= enough && isVerified(name));
    return large.toSorted((a, b) => frontier.waitingAt(b) - frontier.waitingAt(a));
  }

  private reserve(id: string): boolean {
    const { governor, now } = this.state;
    for (const name of this.largeHosts()) {
      const share = governor.lend(name, now(), this.helping + 1);
      if (share === null) continue;
      this.leases.set(id, { host: name, share, entries: null, isRecalled: false });
      return true;
    }
    return false;
  }

  private handOver(id: string, lease: Lease): void {
    const { state } = this;
    const { host, share } = lease;
    const count = Math.min(batch.most, Math.ceil(state.frontier.waitingAt(host) / (this.helping + 1)), Math.ceil(share.requestsPerSecond * batch.seconds));
    const entries = this.crawl.admitted(host, count);
    lease.entries = new Map(entries.map((entry) => [entry.id, entry]));
    if (entries.length === 0) return void this.end(id);
    this.host.lend?.(id, {
      entries: entries.map((entry) => ({ ...entry, base: state.base.get(entry.id) ?? null, inSitemap: state.inSitemap.has(entry.id) })),
      share,
      addedHosts: state.scope.addedHosts(),
      charsets: [...state.charsets],
    });
  }

  /** Puts the links of a page that another worker read into the frontier, as `visit` does for pages that are read here. */
  private follow({ url, simhash, found }: PageReport): void {
    const { state } = this;
    const family = state.families.of(url);
    let newLinks = 0;
    for (const one of found) {
      if (one.hops > 0 && one.depth === 0 && one.source === 'redirect') state.scope.addHost(one.url);
      const isNew = discover(state, one);
      if (isNew && one.source === 'link' && state.families.of(one.url) !== family) newLinks += 1;
    }
    if (simhash !== null) state.families.note(family, BigInt(simhash), newLinks);
  }

  private count({ pages, skipped, errors, bytes, needScripts, statuses, issues }: ReadResult['counters']): void {
    const { counters } = this.state;
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
  private putBack(entries: ReadonlyMap<number, FrontierEntry>, result: ReadResult | null): void {
    const { families, frontier } = this.state;
    const read = new Set(result?.pages.map(({ id }) => id));
    const retries = new Set(result?.retries);
    for (const entry of entries.values()) {
      if (read.has(entry.id)) families.wait(families.of(entry.url), -1);
      else if (retries.has(entry.id)) this.crawl.retry(entry);
      else frontier.push(entry);
    }
  }
}
