import { setTimeout as sleep } from 'node:timers/promises';
import { createState, discover, hostOf, isCheck, skipEntry } from './crawlState';
import type { CrawlState, PageAudit } from './crawlState';
import type { FrontierEntry } from './frontier';
import { retryAfterMs } from './governor';
import type { Outcome } from './governor';
import { normalizeUrl, splitUrl } from './normalize';
import { observeHosts } from './observe';
import type { Batch, CrawlEnd, CrawlStart } from './protocol';
import { createRobotsFiles } from './robotsFiles';
import type { RobotsState } from './robotsFiles';
import { readSitemaps } from './sitemaps';
import type { SitemapReading } from './sitemaps';
import type { Fetched } from './terms';
import { visit } from './visit';

/** A batch is written when it is this old, or has this many items or bytes. */
const batchLimits = { ms: 250, items: 500, bytes: 4 * 2 ** 20 } as const;
/** Requests wait while more than this is not written. */
const mostUnwritten = { items: 4000, bytes: 24 * 2 ** 20 } as const;
const mostAttempts = 3;
const firstRetry = 1000;
const longestRetry = 30_000;
/** Checked links and resources per page of the limit. */
const checksPerPage = 20;

export type CrawlHost = {
  /** Resolves when the batch is written. */
  readonly write: (batch: Batch) => Promise<void>;
  /** A stored body of the base run, compressed. */
  readonly body: (sha: string) => Promise<Buffer | null>;
  readonly now: () => number;
  readonly random: () => number;
};

/** One crawl: requests what the frontier has, as fast as the governor allows, and writes what it finds in batches. */
export function createCrawl(start: CrawlStart, audit: PageAudit, host: CrawlHost) {
  const { now } = host;
  const state = createState(start, audit, now);
  const { frontier, governor, families, counters, config } = state;
  const startedAt = now();
  /** Entries that wait for robots.txt of their origin, for their family, or for another attempt. */
  const byOrigin = new Map<string, FrontierEntry[]>();
  const paused: FrontierEntry[] = [];
  let delayed: { readonly entry: FrontierEntry; readonly at: number }[] = [];
  let [activePages, checks, isEnding, isFull] = [0, 0, false, false];
  let limit: CrawlEnd['reason'] = null;
  let observations: CrawlEnd['observations'] = null;
  let finish: ((end: CrawlEnd) => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  const journal = createJournal(state, host, () => start.activeMs + (now() - startedAt), pump);

  const robots = createRobotsFiles({
    token: state.token,
    request: (url) => state.fetcher.fetch(url, { timeout: 20_000 }),
    now,
    onChange(origin, found) {
      const failures = found.kind === 'closed' ? found.failures : 0;
      if (found.kind !== 'loading') state.batch.robots({ ...found.copy, failures });
      if (found.kind === 'ready') governor.setCrawlDelay(splitUrl(`${origin}/`).host, found.crawlDelay);
      release(origin, found);
      pump();
    },
  });

  /** Entries of an origin whose file was read go on; those of one that stays closed are skipped. */
  function release(origin: string, found: RobotsState): void {
    const entries = byOrigin.get(origin) ?? [];
    if (found.kind === 'closed' && found.retryAt !== null) return;
    byOrigin.delete(origin);
    for (const entry of entries) {
      if (found.kind === 'ready') frontier.push(entry);
      else skipEntry(state, entry, 'robots');
    }
  }
  function park(origin: string, entry: FrontierEntry): void {
    const list = byOrigin.get(origin);
    if (list) list.push(entry);
    else byOrigin.set(origin, [entry]);
  }

  /** Whether an entry may be requested now; otherwise it is put where it waits, or skipped. */
  function admit(entry: FrontierEntry): boolean {
    if (isCheck(entry)) {
      if (checks >= state.pageLimit * checksPerPage) {
        skipEntry(state, entry, 'limit');
        return false;
      }
      return true;
    }
    if (counters.pages + activePages >= state.pageLimit) {
      limit = 'pages';
      families.wait(families.of(entry.url), -1);
      return false;
    }
    const family = families.of(entry.url);
    if (family.state === 'excluded') {
      skipEntry(state, entry, 'family');
      return false;
    }
    if (!families.mayRequest(family)) {
      paused.push(entry);
      return false;
    }
    if (state.obeysRobots) {
      const { origin } = splitUrl(entry.url);
      const found = robots.state(origin);
      if (found.kind !== 'ready') {
        if (found.kind === 'closed' && found.retryAt === null) skipEntry(state, entry, 'robots');
        else park(origin, entry);
        return false;
      }
      if (!robots.allows(found, entry.url)) {
        skipEntry(state, entry, 'robots');
        return false;
      }
    }
    return true;
  }

  function outcomeOf(response: Fetched): Outcome {
    if (response.status === 429 || response.status === 503) return { kind: 'slow_down', retryAfterMs: retryAfterMs(response.headers['retry-after'], now()) };
    if (response.error === 'timeout') return { kind: 'slow_down', retryAfterMs: 1000 };
    return response.status === 0 ? { kind: 'failed' } : { kind: 'ok', ms: response.firstByteMs };
  }
  /** Failures that may pass; a third party is left alone. */
  function isTemporary(entry: FrontierEntry, { status, error }: Fetched): boolean {
    if (entry.attempts + 1 >= mostAttempts || isCheck(entry)) return false;
    return status === 429 || status >= 500 || (error !== null && ['timeout', 'network', 'refused', 'dns'].includes(error));
  }

  async function request(entry: FrontierEntry): Promise<void> {
    const name = hostOf(entry.url);
    const check = isCheck(entry);
    governor.start(name, now());
    if (check) checks += 1;
    else activePages += 1;
    try {
      const base = check ? undefined : state.base.get(entry.id);
      let response = check ? await checkAddress(state, entry.url) : await state.fetcher.fetch(entry.url, { headers: conditions(base) });
      governor.end(name, now(), outcomeOf(response));
      let reused = false;
      if (response.status === 304 && base !== undefined) {
        const stored = await host.body(base.sha);
        if (stored === null) response = await state.fetcher.fetch(entry.url);
        else {
          response = {
            ...response,
            status: 200,
            body: stored,
            gzip: null,
            headers: { 'content-type': base.contentType, etag: base.etag ?? '', 'last-modified': base.lastModified ?? '', ...response.headers },
          };
          reused = true;
        }
      }
      if (isTemporary(entry, response)) retry(entry);
      else {
        if (!check) families.wait(families.of(entry.url), -1);
        visit(state, entry, response, reused);
      }
    } finally {
      if (!check) activePages -= 1;
    }
  }

  /** Full jitter: the pause is a random part of a time that doubles. */
  function retry(entry: FrontierEntry): void {
    const next = { ...entry, attempts: entry.attempts + 1 };
    state.batch.frontier(next, 0, null);
    delayed.push({ entry: next, at: now() + host.random() * Math.min(longestRetry, firstRetry * 2 ** entry.attempts) });
  }

  function checkLimits(): void {
    const { minutes, megabytes } = config.limits;
    if (start.activeMs + (now() - startedAt) >= minutes * 60_000) limit = 'minutes';
    else if (counters.bytes >= megabytes * 2 ** 20) limit = 'megabytes';
    else return;
    isEnding = true;
  }

  /** Starts what may be started, and looks again when that changes. */
  function pump(): void {
    if (finish === null) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const time = now();
    checkLimits();
    if (delayed.some(({ at }) => at <= time)) {
      for (const { entry, at } of delayed) if (at <= time) frontier.push(entry);
      delayed = delayed.filter(({ at }) => at > time);
    }
    for (const [origin] of byOrigin) robots.state(origin);
    isFull = journal.isFull();
    while (!isEnding && !isFull) {
      const entry = frontier.next((name) => governor.isReady(name, time));
      if (entry === null) break;
      if (!admit(entry)) continue;
      // A request never rejects; what does is an error of the program.
      request(entry).then(pump, (error: unknown) => {
        throw error;
      });
    }
    updateCounters();
    if (governor.active() === 0 && activePages === 0) {
      const end = endOf();
      if (end !== null) return conclude(end);
    }
    timer = setTimeout(pump, wakeIn(time));
  }

  function wakeIn(time: number): number {
    let at = time + 1000;
    for (const name of frontier.hosts()) at = Math.min(at, governor.readyAt(name));
    for (const { at: due } of delayed) at = Math.min(at, due);
    return Math.max(isFull ? 20 : 1, at - time);
  }

  /** Why nothing more is to be requested; null: something waits. */
  function endOf(): CrawlEnd | null {
    const end = (kind: CrawlEnd['kind'], reason: CrawlEnd['reason'] = null, retryAt: number | null = null): CrawlEnd => ({
      kind,
      reason,
      retryAt,
      observations,
    });
    if (isEnding) return limit === null ? end('ended') : end('limited', limit);
    if (frontier.size() + delayed.length > 0 || [...robots.all().values()].some(({ kind }) => kind === 'loading')) return null;
    if (byOrigin.size > 0) {
      const times = [...byOrigin.keys()].map((origin) => {
        const found = robots.peek(origin);
        return found?.kind === 'closed' ? (found.retryAt ?? 0) : 0;
      });
      return end('waiting', 'robots', Math.min(...times));
    }
    for (const entry of paused.splice(0)) skipEntry(state, entry, 'family');
    const isBlocked = counters.pages === 0 && [...robots.all().values()].some(({ kind }) => kind === 'closed');
    return limit === null ? end('done', isBlocked ? 'robots' : null) : end('limited', limit);
  }

  function conclude(end: CrawlEnd): void {
    const resolve = finish;
    finish = null;
    void (async () => {
      await journal.close();
      // Hosts are looked at once, when the pages are read.
      const last = end.kind === 'done' || end.kind === 'limited' ? { ...end, observations: await observe() } : end;
      await state.fetcher.close();
      resolve?.(last);
    })();
  }

  async function observe(): Promise<NonNullable<CrawlEnd['observations']>> {
    const hosts = await observeHosts(state, robots.all());
    return { ...observations, hosts };
  }

  const recent: { readonly at: number; readonly pages: number }[] = [];
  function updateCounters(): void {
    const time = now();
    counters.queued = frontier.size() + delayed.length + paused.length + [...byOrigin.values()].reduce((sum, list) => sum + list.length, 0);
    if (recent.length === 0 || time - (recent.at(-1)?.at ?? 0) >= 500) recent.push({ at: time, pages: counters.pages });
    while (recent.length > 2 && time - (recent[0]?.at ?? 0) > 10_000) recent.shift();
    const first = recent[0];
    counters.pagesPerSecond =
      first === undefined || time - first.at < 200 ? 0 : Math.round(((counters.pages - first.pages) / ((time - first.at) / 1000)) * 10) / 10;
    counters.hosts = governor
      .hosts()
      .slice(0, 20)
      .map((name) => {
        const { limit: connections, active, delayMs, averageMs } = governor.state(name);
        const closed = [...robots.all()].some(([origin, { kind }]) => kind === 'closed' && hostOf(`${origin}/`) === name);
        return { host: name, limit: Math.floor(connections), active, delayMs: Math.round(delayMs), averageMs: Math.round(averageMs), closed };
      });
  }

  /** Sitemaps of the origins of the seeds, before the first page. */
  async function loadSitemaps(): Promise<void> {
    const reading: SitemapReading = { observations: [], lastmods: [] };
    const most = state.pageLimit * 20;
    for (const origin of state.seedOrigins) {
      if (isEnding) return;
      let file = robots.state(origin);
      while (file.kind === 'loading') {
        await sleep(5);
        file = robots.peek(origin) ?? file;
      }
      if (state.obeysRobots && file.kind === 'closed') continue;
      const found = await readSitemaps(
        origin,
        file.kind === 'ready' ? file.robots.sitemaps : [],
        (url) => state.fetcher.fetch(url, { maxBytes: 50 * 2 ** 20 }),
        (urls) => {
          for (const { url } of urls) {
            const own = normalizeUrl(url, origin, config.scope.dropParameters);
            if (own === null || !state.scope.isInternal(own)) continue;
            state.inSitemap.add(state.idOf(own));
            if (frontier.size() < most) discover(state, { url: own, depth: 0, hops: 0, source: 'sitemap', fromId: null });
          }
          return !isEnding && state.inSitemap.size() < 5_000_000;
        },
      );
      reading.observations.push(...found.observations);
      reading.lastmods.push(...found.lastmods);
    }
    observations = { hosts: [], sitemaps: reading.observations.slice(0, 500), lastmods: reading.lastmods.slice(0, 1000) };
  }

  return {
    state,
    restoreRobots: robots.restore,
    /** Runs until nothing waits, a limit is reached, or `end` is called. */
    async run(): Promise<CrawlEnd> {
      for (const seed of config.seeds) {
        const url = normalizeUrl(seed, undefined, config.scope.dropParameters);
        if (url !== null) discover(state, { url, depth: 0, hops: 0, source: 'seed', fromId: null });
      }
      if (config.fetch.sitemaps && config.scope.mode !== 'list') await loadSitemaps();
      return new Promise((resolve) => {
        finish = resolve;
        pump();
      });
    },
    /** Starts nothing new; what is being requested is still recorded. */
    end(): void {
      isEnding = true;
      pump();
    },
    decideFamily(name: string, family: string, decision: 'allowed' | 'excluded'): void {
      families.decide(name, family, decision);
      for (const entry of paused.splice(0)) frontier.push(entry);
      pump();
    },
  };
}
export type Crawl = ReturnType<typeof createCrawl>;

const conditions = (base: { readonly etag: string | null; readonly lastModified: string | null } | undefined): Record<string, string> => ({
  ...(base?.etag ? { 'if-none-match': base.etag } : {}),
  ...(base?.lastModified ? { 'if-modified-since': base.lastModified } : {}),
});

/** Asks for the head of an address; servers that do not answer that are asked for its first bytes. */
async function checkAddress(state: CrawlState, url: string): Promise<Fetched> {
  const options = { timeout: 20_000 };
  const head = await state.fetcher.fetch(url, { ...options, method: 'HEAD' });
  const isAnswered = (head.status >= 200 && head.status < 400) || head.status === 429 || head.error === 'dns' || head.error === 'address_refused';
  if (isAnswered) return head;
  const found = await state.fetcher.fetch(url, { ...options, headers: { range: 'bytes=0-1023' }, maxBytes: 1024 * 1024 });
  // The server ignores the range, and the address works.
  if (found.error === 'too_large' && found.status >= 200 && found.status < 300) return { ...found, error: null };
  return found.status === 206 ? { ...found, status: 200 } : found;
}

/** Writes batches one after the other. */
function createJournal(state: CrawlState, host: CrawlHost, activeMs: () => number, onWritten: () => void) {
  let writing: Promise<void> | null = null;
  let number = 0;
  let unwritten = { items: 0, bytes: 0 };

  function write(): void {
    if (writing !== null) return;
    const rows = state.families.takeChanged();
    const { counters } = state;
    unwritten = { items: state.batch.items(), bytes: state.batch.bytes() };
    number += 1;
    const copy = { ...counters, statuses: { ...counters.statuses }, issues: { ...counters.issues } };
    const batch = state.batch.take(number, rows, copy, Math.round(activeMs()));
    writing = host.write(batch).then(() => {
      writing = null;
      unwritten = { items: 0, bytes: 0 };
      if (isLarge()) write();
      onWritten();
    });
    // What cannot be written ends the process: the journal has what was written before.
    writing.catch((error: unknown) => {
      throw error;
    });
  }
  const isLarge = (): boolean => state.batch.items() >= batchLimits.items || state.batch.bytes() >= batchLimits.bytes;
  const interval = setInterval(() => {
    if (!state.batch.isEmpty()) write();
  }, batchLimits.ms);

  return {
    /** Whether requests have to wait for the journal. */
    isFull(): boolean {
      if (isLarge()) write();
      return unwritten.items + state.batch.items() > mostUnwritten.items || unwritten.bytes + state.batch.bytes() > mostUnwritten.bytes;
    },
    async close(): Promise<void> {
      clearInterval(interval);
      while (writing !== null) await writing;
      write();
      while (writing !== null) await (writing as Promise<void>);
    },
  };
}
