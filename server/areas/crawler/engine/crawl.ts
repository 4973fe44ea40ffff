import { setTimeout as sleep } from 'node:timers/promises';
import type { SkipReason } from '../../../../contract/crawler/terms';
import { createState, discover, hostOf, isCheck, skipEntry } from './crawlState';
import type { CrawlState, PageAudit } from './crawlState';
import type { FrontierEntry } from './frontier';
import { busiestHosts, createJournal } from './batchWriter';
import type { CrawlHost, CrawlProgress } from './batchWriter';
import { Lending } from './lending';
import { normalizeUrl, splitUrl } from './normalize';
import { observeHosts } from './observe';
import type { CrawlEnd, CrawlStart } from './protocol';
import { checkAddress, isTemporary, outcomeOf, requestInTurn, requestPage } from './requests';
import type { PageResponse } from './requests';
import { Rendering } from './render/rendering';
import { createRobotsFiles } from './robotsFiles';
import type { RobotsCopy, RobotsFiles, RobotsState } from './robotsFiles';
import { readSitemaps } from './sitemaps';
import type { SitemapReading } from './sitemaps';
import { readPage, visit } from './visit';

const firstRetry = 1000;
const longestRetry = 30_000;
/** Checked links and resources per page of the limit. */
const checksPerPage = 20;

/** One crawl: requests what the frontier has, as fast as the governor allows, and writes what it finds in batches. */
export class Crawl {
  readonly state: CrawlState;
  readonly lending: Lending;
  private readonly start: CrawlStart;
  private readonly host: CrawlHost;
  private readonly startedAt: number;
  private readonly journal: ReturnType<typeof createJournal>;
  private readonly robots: RobotsFiles;
  private readonly rendering: Rendering;
  /** Entries that wait for robots.txt of their origin, for their family, or for another attempt. */
  private readonly byOrigin = new Map<string, FrontierEntry[]>();
  private readonly paused: FrontierEntry[] = [];
  private delayed: { readonly entry: FrontierEntry; readonly at: number }[] = [];
  private readonly recent: { readonly at: number; readonly pages: number }[] = [];
  private activePages = 0;
  private checks = 0;
  private isEnding = false;
  private isFull = false;
  private limit: CrawlEnd['reason'] = null;
  private observations: CrawlEnd['observations'] = null;
  private finish: ((end: CrawlEnd) => void) | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(start: CrawlStart, audit: PageAudit, host: CrawlHost) {
    this.start = start;
    this.host = host;
    this.startedAt = host.now();
    this.state = createState(start, audit, host.now);
    this.journal = createJournal(
      this.state,
      host,
      () => this.progress(),
      () => this.pump(),
    );
    this.lending = new Lending(this.state, host, {
      admitted: (name, most) => this.admitted(name, most),
      retry: (entry) => this.retry(entry),
      ended: () => (this.activePages -= 1),
      pump: () => this.pump(),
    });
    this.robots = createRobotsFiles({
      token: this.state.token,
      earlier: start.earlierRobots,
      request: (url) => this.state.fetcher.send(url, { timeout: 20_000 }),
      now: host.now,
      onChange: (origin, found) => this.robotsChanged(origin, found),
    });
    this.rendering = new Rendering(this.state, this.robots);
  }

  private robotsChanged(origin: string, found: RobotsState): void {
    const { state } = this;
    if (found.kind !== 'loading') state.batch.robots({ ...found.copy, failures: found.failures });
    this.setCrawlDelay(origin, found);
    this.release(origin, found);
    this.pump();
  }

  private setCrawlDelay(origin: string, found: RobotsState | undefined): void {
    if (found?.kind === 'ready') this.state.governor.setCrawlDelay(splitUrl(`${origin}/`).host, found.crawlDelay);
  }

  /** Entries of an origin whose file was read go on; those of one that stays closed are skipped. */
  private release(origin: string, found: RobotsState): void {
    const entries = this.byOrigin.get(origin) ?? [];
    if (found.kind === 'closed' && found.retryAt !== null) return;
    this.byOrigin.delete(origin);
    for (const entry of entries) {
      if (found.kind === 'ready') this.state.frontier.push(entry);
      else this.skip(entry, 'robots');
    }
  }
  /** Skips an address that was waiting. */
  private skip(entry: FrontierEntry, reason: SkipReason): void {
    this.state.families.wait(this.state.families.of(entry.url), -1);
    skipEntry(this.state, entry, reason);
  }
  private park(origin: string, entry: FrontierEntry): void {
    const list = this.byOrigin.get(origin);
    if (list) list.push(entry);
    else this.byOrigin.set(origin, [entry]);
  }

  /** Whether an entry may be requested now; otherwise it is put where it waits, or skipped. */
  private admit(entry: FrontierEntry): boolean {
    if (isCheck(entry)) {
      if (this.checks >= this.state.pageLimit * checksPerPage) {
        skipEntry(this.state, entry, 'limit');
        return false;
      }
      return true;
    }
    if (this.state.counters.pages + this.activePages >= this.state.pageLimit) {
      this.limit = 'pages';
      this.state.families.wait(this.state.families.of(entry.url), -1);
      return false;
    }
    const family = this.state.families.of(entry.url);
    if (family.state === 'excluded') {
      this.skip(entry, 'family');
      return false;
    }
    if (!this.state.families.mayRequest(family)) {
      this.paused.push(entry);
      return false;
    }
    const { origin, host } = splitUrl(entry.url);
    if (this.state.obeysRobots(host)) {
      const found = this.robots.state(origin);
      if (found.kind !== 'ready') {
        if (found.kind === 'closed' && found.retryAt === null) this.skip(entry, 'robots');
        else this.park(origin, entry);
        return false;
      }
      if (!this.robots.allows(found, entry.url)) {
        this.skip(entry, 'robots');
        return false;
      }
    }
    return true;
  }

  private async request(entry: FrontierEntry): Promise<void> {
    const name = hostOf(entry.url);
    const check = isCheck(entry);
    this.state.governor.start(name, this.host.now());
    if (check) this.checks += 1;
    else this.activePages += 1;
    try {
      const { response, reused, outcome } = check
        ? await this.check(entry)
        : await requestPage(this.state, entry, this.state.base.get(entry.id), this.host.body);
      if (outcome.kind === 'slow_down') this.lending.recall(name);
      if (isTemporary(entry, response)) this.retry(entry);
      else {
        let page = readPage(this.state, entry, response);
        if (page !== null && this.rendering.applies(page)) {
          page = await this.rendering.page(entry, response, page);
          // The next process requests it again.
          if (page === null) return;
        }
        if (!check) this.state.families.wait(this.state.families.of(entry.url), -1);
        visit(this.state, entry, response, reused, page);
      }
    } finally {
      if (!check) this.activePages -= 1;
    }
  }

  private async check({ url }: FrontierEntry): Promise<PageResponse> {
    const { state } = this;
    const response = await checkAddress(state, url);
    const outcome = outcomeOf(response, state.now());
    state.governor.end(hostOf(url), state.now(), outcome);
    return { response, reused: false, outcome };
  }

  /** Addresses of a host for another worker, admitted like those that are requested here. */
  private admitted(name: string, most: number): FrontierEntry[] {
    const entries: FrontierEntry[] = [];
    while (entries.length < most) {
      const entry = this.state.frontier.next((host) => host === name);
      if (entry === null) break;
      if (isCheck(entry)) {
        this.state.frontier.push(entry);
        break;
      }
      if (!this.admit(entry)) continue;
      this.activePages += 1;
      entries.push(entry);
    }
    return entries;
  }

  /** Full jitter: the pause is a random part of a time that doubles. */
  private retry(entry: FrontierEntry): void {
    const next = { ...entry, attempts: entry.attempts + 1 };
    this.state.batch.frontier(next, 0, null);
    this.delayed.push({ entry: next, at: this.host.now() + this.host.random() * Math.min(longestRetry, firstRetry * 2 ** entry.attempts) });
  }

  private checkLimits(): void {
    const { minutes, megabytes } = this.state.config.limits;
    if (this.start.activeMs + (this.host.now() - this.startedAt) >= minutes * 60_000) this.limit = 'minutes';
    else if (this.state.counters.bytes >= megabytes * 2 ** 20) this.limit = 'megabytes';
    else return;
    this.isEnding = true;
    this.rendering.end('record');
  }

  /** Starts what may be started, and looks again when that changes. */
  private pump(): void {
    if (this.finish === null) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const time = this.host.now();
    this.checkLimits();
    if (this.delayed.some(({ at }) => at <= time)) {
      for (const { entry, at } of this.delayed) if (at <= time) this.state.frontier.push(entry);
      this.delayed = this.delayed.filter(({ at }) => at > time);
    }
    for (const [origin] of this.byOrigin) this.robots.state(origin);
    this.isFull = this.journal.isFull() || this.rendering.isFull();
    if (this.isEnding) this.lending.recall();
    else this.lending.lend();
    const { turns } = this.rendering;
    turns.look();
    const isReady = (name: string): boolean => this.state.governor.isReady(name, time) && !turns.waitsFor(name);
    while (!this.isEnding && !this.isFull && !this.state.spacing.holds(time, () => this.state.frontier.hosts().some(isReady))) {
      const entry = this.state.frontier.next(isReady);
      if (entry === null) break;
      if (!this.admit(entry)) continue;
      this.state.spacing.started(time);
      // A request never rejects; what does is an error of the program.
      this.request(entry).then(
        () => this.pump(),
        (error: unknown) => {
          throw error;
        },
      );
    }
    if (this.state.governor.active() === 0 && this.activePages === 0) {
      const end = this.endOf();
      if (end !== null) return this.conclude(end);
    }
    this.timer = setTimeout(() => this.pump(), this.wakeIn(time));
  }

  private wakeIn(time: number): number {
    let at = time + 1000;
    // While all connections are in use, the end of a request calls `pump`.
    if (!this.state.governor.isFull()) for (const name of this.state.frontier.hosts()) at = Math.min(at, this.state.governor.readyAt(name));
    for (const { at: due } of this.delayed) at = Math.min(at, due);
    return Math.max(this.isFull ? 20 : 1, at - time, this.state.spacing.readyAt() - time);
  }

  /** Why nothing more is to be requested; null: something waits. */
  private endOf(): CrawlEnd | null {
    const end = (kind: CrawlEnd['kind'], reason: CrawlEnd['reason'] = null, retryAt: number | null = null): CrawlEnd => ({
      kind,
      reason,
      retryAt,
      observations: this.observations,
    });
    // Somebody pauses or stops a run that has its pages and still checks links: its limit of pages is not what ends it.
    if (this.isEnding) return this.limit === null || this.limit === 'pages' ? end('ended') : end('limited', this.limit);
    if (this.state.frontier.size() + this.delayed.length > 0 || [...this.robots.all().values()].some(({ kind }) => kind === 'loading')) return null;
    if (this.byOrigin.size > 0) {
      const times = [...this.byOrigin.keys()].map((origin) => {
        const found = this.robots.peek(origin);
        return found?.kind === 'closed' ? (found.retryAt ?? 0) : 0;
      });
      return end('waiting', 'robots', Math.min(...times));
    }
    for (const entry of this.paused.splice(0)) skipEntry(this.state, entry, 'family');
    const isBlocked = this.state.counters.pages === 0 && [...this.robots.all().values()].some(({ kind }) => kind === 'closed');
    return this.limit === null ? end('done', isBlocked ? 'robots' : null) : end('limited', this.limit);
  }

  private conclude(end: CrawlEnd): void {
    const resolve = this.finish;
    this.finish = null;
    void (async () => {
      await this.journal.close();
      await this.rendering.close();
      // Hosts are looked at once, when the pages are read.
      const last = end.kind === 'done' || end.kind === 'limited' ? { ...end, observations: await this.observe() } : end;
      await this.state.fetcher.close();
      resolve?.(last);
    })();
  }

  private async observe(): Promise<NonNullable<CrawlEnd['observations']>> {
    const hosts = await observeHosts(this.state, this.robots.all(), (url) => this.mayRequest(url));
    return { ...this.observations, hosts };
  }

  private mayRequest(url: string): boolean {
    const { origin, host } = splitUrl(url);
    const found = this.robots.peek(origin);
    return !this.state.obeysRobots(host) || (found !== undefined && this.robots.allows(found, url));
  }

  /** What a batch says about the run. Some counters follow from other state, and are computed here only. */
  private progress(): CrawlProgress {
    const time = this.host.now();
    const { counters } = this.state;
    counters.queued =
      this.state.frontier.size() +
      this.delayed.length +
      this.paused.length +
      this.lending.waiting() +
      [...this.byOrigin.values()].reduce((sum, list) => sum + list.length, 0);
    if (this.recent.length === 0 || time - (this.recent.at(-1)?.at ?? 0) >= 500) this.recent.push({ at: time, pages: counters.pages });
    while (this.recent.length > 2 && time - (this.recent[0]?.at ?? 0) > 10_000) this.recent.shift();
    const first = this.recent[0];
    counters.pagesPerSecond =
      first === undefined || time - first.at < 200 ? 0 : Math.round(((counters.pages - first.pages) / ((time - first.at) / 1000)) * 10) / 10;
    counters.workers = this.lending.helpers() + 1;
    counters.hosts = busiestHosts(this.state, this.robots);
    return {
      counters: { ...counters, statuses: { ...counters.statuses }, issues: { ...counters.issues } },
      activeMs: Math.round(this.start.activeMs + (time - this.startedAt)),
    };
  }

  /** Sitemaps of the origins of the seeds, before the first page. */
  private async loadSitemaps(): Promise<void> {
    const reading: SitemapReading = { observations: [], lastmods: [] };
    const most = this.state.pageLimit * 20;
    for (const origin of this.state.seedOrigins) {
      if (this.isEnding) return;
      let file = this.robots.state(origin);
      while (file.kind === 'loading') {
        await sleep(5);
        file = this.robots.peek(origin) ?? file;
      }
      if (file.kind === 'closed' && this.state.obeysRobots(hostOf(`${origin}/`))) continue;
      const found = await readSitemaps(
        origin,
        file.kind === 'ready' ? file.robots.sitemaps : [],
        (url) => {
          this.checkLimits();
          return this.isEnding ? Promise.resolve(null) : requestInTurn(this.state, url, { maxBytes: 50 * 2 ** 20 });
        },
        (urls) => {
          for (const { url } of urls) {
            const own = normalizeUrl(url, origin, this.state.config.scope.dropParameters);
            if (own === null || !this.state.scope.isInternal(own)) continue;
            this.state.inSitemap.add(this.state.idOf(own));
            if (this.state.frontier.size() < most) discover(this.state, { url: own, depth: 0, hops: 0, source: 'sitemap', fromId: null });
          }
          return !this.isEnding && this.state.inSitemap.size() < 5_000_000;
        },
      );
      reading.observations.push(...found.observations);
      reading.lastmods.push(...found.lastmods);
    }
    this.observations = { hosts: [], sitemaps: reading.observations.slice(0, 500), lastmods: reading.lastmods.slice(0, 1000) };
  }

  restoreRobots(copy: RobotsCopy, failures: number): void {
    this.robots.restore(copy, failures);
    this.setCrawlDelay(copy.origin, this.robots.peek(copy.origin));
  }

  /** Runs until nothing waits, a limit is reached, or `end` is called. */
  async run(): Promise<CrawlEnd> {
    const { config } = this.state;
    for (const seed of config.seeds) {
      const url = normalizeUrl(seed, undefined, config.scope.dropParameters);
      if (url !== null) discover(this.state, { url, depth: 0, hops: 0, source: 'seed', fromId: null });
    }
    if (config.fetch.sitemaps && config.scope.mode !== 'list') await this.loadSitemaps();
    return new Promise((resolve) => {
      this.finish = resolve;
      this.pump();
    });
  }

  /** Starts nothing new; what is being requested is still recorded. */
  end(): void {
    this.isEnding = true;
    this.rendering.end('leave');
    this.pump();
  }

  decideFamily(name: string, family: string, decision: 'allowed' | 'excluded'): void {
    this.state.families.decide(name, family, decision);
    for (const entry of this.paused.splice(0)) this.state.frontier.push(entry);
    this.pump();
  }
}
export const createCrawl = (start: CrawlStart, audit: PageAudit, host: CrawlHost): Crawl => new Crawl(start, audit, host);
