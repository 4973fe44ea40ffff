import type { PageFacts, PageLink } from '../../../../contract/crawler/facts';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { FetchError, IndexReason, Severity, SkipReason } from '../../../../contract/crawler/terms';
import { emptyCounters } from '../counters';
import type { RunCounters } from '../counters';
import { createBatch } from './batch';
import { createExtractor } from './extract';
import { createFamilies } from './families';
import { createFetcher, identityOf, tokenOfAgent } from './fetch';
import { createFrontier } from './frontier';
import type { FrontierEntry } from './frontier';
import { createGovernor } from './governor';
import type { HostLimits } from './governor';
import { splitUrl } from './normalize';
import type { BasePage, CrawlStart, Discovered, PageReport } from './protocol';
import { createScope } from './scope';
import { createSeenSet } from './seenSet';
import { createSpacing } from './spacing';
import { urlId } from './urlId';

/** What rules of pages read; a part of a row of `crawl_pages`. */
export type AuditedResponse = {
  readonly url: string;
  readonly internal: boolean;
  readonly html: boolean;
  /** Requested because pages use it: a picture, style, script or feed. */
  readonly resource: boolean;
  readonly status: number;
  readonly error: FetchError | null;
  readonly mime: string;
  readonly wireBytes: number;
  readonly bytes: number;
  readonly firstByteMs: number;
  readonly depth: number | null;
  readonly inSitemap: boolean;
  readonly indexable: boolean;
  readonly indexReason: IndexReason;
  readonly units: number;
};
export type PageAudit = (
  page: AuditedResponse,
  facts: PageFacts,
  links: readonly PageLink[],
) => readonly { readonly rule: string; readonly severity: Severity; readonly subject: string; readonly detail: Readonly<Record<string, string | number>> }[];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** `isSettled`: it is written and in the frontier, so that another link to it changes neither. */
type KnownAddress = { readonly id: number; isSettled: boolean };
/** Addresses whose ids are remembered, because links of navigation are on every page. */
const rememberedIds = 50_000;
const external = { connections: 1, requestsPerSecond: 1 } as const;

/** Everything one crawl has in memory. */
export function createState(start: CrawlStart, audit: PageAudit, now: () => number) {
  const { config, siteId, runId, verified } = start;
  const { foreign } = crawlLimits;
  const identity = identityOf(config, start.headers);
  const seedOrigins = identity.secretHeaders.origins;
  const scope = createScope(config);
  const { connections, requestsPerSecond, obeyRobots } = config.politeness;
  const own = { connections, requestsPerSecond };
  const gentle = { connections: Math.min(connections, foreign.connections), requestsPerSecond: Math.min(requestsPerSecond, foreign.requestsPerSecond) };
  /** The hosts of the seeds were verified, other hosts of their domain were not. */
  const isVerified = (host: string): boolean => verified && scope.isSeedHost(host);
  function limitsOf(host: string): HostLimits {
    if (isVerified(host)) return own;
    return scope.isInternal(`https://${host}/`) ? gentle : external;
  }
  const fetcher = createFetcher({
    allowNear: start.allowNear,
    ownOrigins: new Set(start.ownOrigins),
    ...identity,
    ...(start.authorities === undefined ? {} : { authorities: start.authorities }),
  });

  let addresses = new Map<string, KnownAddress>();
  function addressOf(url: string): KnownAddress {
    let known = addresses.get(url);
    if (known === undefined) {
      known = { id: urlId(siteId, url), isSettled: false };
      if (addresses.size >= rememberedIds) addresses = new Map();
      addresses.set(url, known);
    }
    return known;
  }

  const counters: Mutable<Omit<RunCounters, 'statuses' | 'issues'>> & { statuses: Record<string, number>; issues: Record<Severity, number> } = {
    ...emptyCounters,
    ...start.counters,
    statuses: { ...start.counters.statuses },
    issues: { ...emptyCounters.issues, ...start.counters.issues },
  };
  const pageLimit = verified ? config.limits.pages : Math.min(config.limits.pages, foreign.pages);

  return {
    start,
    config,
    now,
    audit,
    userAgent: identity.userAgent,
    token: tokenOfAgent(identity.userAgent),
    scope,
    fetcher,
    seedOrigins,
    frontier: createFrontier(),
    governor: createGovernor(limitsOf, verified ? crawlLimits.own.connections : 16),
    /** Slows requests down while people use the console. */
    spacing: createSpacing(),
    families: createFamilies(Math.floor((pageLimit * config.limits.familyPercent) / 100), start.families),
    batch: createBatch(siteId, runId),
    extract: createExtractor(config.extractions),
    /** Addresses that were put into the frontier or skipped. */
    queued: createSeenSet(4096),
    /** Addresses whose row was written. */
    written: createSeenSet(4096),
    inSitemap: createSeenSet(),
    base: new Map<number, BasePage>(),
    charsets: new Map<string, number>(),
    counters,
    /** Of the page that is being read for another worker, whose frontier has what it discovers; null: this is the leading one. */
    report: null as PageReport | null,
    pageLimit,
    isVerified,
    obeysRobots: (host: string): boolean => obeyRobots || !isVerified(host),
    addressOf,
    idOf: (url: string): number => addressOf(url).id,
  };
}
export type CrawlState = ReturnType<typeof createState>;

/** Addresses that are checked rather than read. */
export const isCheck = ({ source }: Pick<FrontierEntry, 'source'>): boolean => source === 'external' || source === 'resource';

/** Writes the row of an address once. */
export function writeUrl(state: CrawlState, id: number, url: string): void {
  if (state.written.add(id)) state.batch.url(id, url);
}
/** The id of an address whose row is written. Null: none, or an address that is too long to be stored, which an index of the database would refuse. */
export function storedId(state: CrawlState, url: string | null | undefined): number | null {
  if (url === null || url === undefined || url.length > crawlLimits.urlLength) return null;
  const id = state.idOf(url);
  writeUrl(state, id, url);
  return id;
}

/** Puts an address into the frontier unless it is there already. True: it is new, and waits. */
export function discover(state: CrawlState, found: Discovered): boolean {
  const { url, depth, hops, source, fromId } = found;
  if (url.length > crawlLimits.urlLength) {
    state.counters.skipped += 1;
    return false;
  }
  const id = state.idOf(url);
  if (!state.queued.add(id)) return false;
  writeUrl(state, id, url);
  if (state.report !== null) {
    state.report.found.push(found);
    return false;
  }
  state.counters.discovered += 1;
  const entry: FrontierEntry = { id, url, depth, hops, source, fromId, attempts: 0, late: 0 };
  const skip: SkipReason | null = isCheck(entry) || source === 'seed' || hops > 0 ? null : state.scope.skip(url, depth);
  if (skip !== null) {
    skipEntry(state, entry, skip);
    return false;
  }
  enqueue(state, entry);
  return true;
}

export function skipEntry(state: CrawlState, entry: FrontierEntry, reason: SkipReason): void {
  state.counters.skipped += 1;
  state.batch.frontier(entry, 2, reason);
}

function enqueue(state: CrawlState, entry: FrontierEntry): void {
  if (isCheck(entry)) {
    state.frontier.push(entry);
    state.batch.frontier(entry, 0, null);
    return;
  }
  const family = state.families.of(entry.url);
  const late = state.families.lateness(family);
  state.families.wait(family, 1);
  const placed = late === 0 ? entry : { ...entry, late };
  state.frontier.push(placed);
  state.batch.frontier(placed, 0, null);
}

export const hostOf = (url: string): string => splitUrl(url).host;
