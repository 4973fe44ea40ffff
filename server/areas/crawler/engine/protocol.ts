import type { CrawlerConfig } from '../../../../contract/crawler/config';
import type { SiteObservations } from '../../../../contract/crawler/observations';
import { emptyCounters } from '../counters';
import type { RunCounters } from '../counters';
import type { Extraction, RowValues, Source } from './extract';
import type { FrontierEntry, FrontierSource } from './frontier';
import type { HostLimits, Outcome } from './governor';
import type { RankedPages } from './linkGraph';
import type { RobotsCopy } from './robotsFiles';
import type { Fetched, ParsedPage } from './terms';

/** What a run knows when its process starts. */
export type CrawlStart = {
  readonly siteId: string;
  readonly runId: string;
  readonly config: CrawlerConfig;
  readonly verified: boolean;
  readonly allowNear: boolean;
  /** Origins of the site that this program delivers, which may be on this machine. */
  readonly ownOrigins: readonly string[];
  /** Folder of the file store, into which the process writes bodies itself; null: the program does, into a bucket. */
  readonly folder: string | null;
  /** Chromium that renders pages; null: there is none. */
  readonly chromium: string | null;
  /** With the values of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counters: RunCounters;
  readonly activeMs: number;
  readonly robots: readonly (RobotsCopy & { readonly failures: number })[];
  /** Files that earlier runs of the site read. */
  readonly earlierRobots: readonly RobotsCopy[];
  readonly families: readonly FamilyRow[];
  /** Certificate authorities to trust instead of those of Node, for tests. */
  readonly authorities?: string;
};
/** A run that no process has read yet. */
export const freshRun = { counters: emptyCounters, activeMs: 0, robots: [], earlierRobots: [], families: [] } as const satisfies Partial<CrawlStart>;
/** An address of the journal. `state` as in `crawl_frontier`; `url` empty unless it waits. */
export type StoredEntry = Omit<FrontierEntry, 'late'> & { readonly state: number };
/** A page of the base run that can be asked whether it changed. */
export type BasePage = {
  readonly id: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly sha: string;
  readonly contentType: string;
};
export type FamilyRow = {
  readonly host: string;
  readonly family: string;
  readonly pages: number;
  readonly waiting: number;
  readonly state: 'open' | 'paused' | 'allowed' | 'excluded';
  readonly reason: 'budget' | 'novelty' | null;
};

/** Texts are arrays in JSON, which the program passes on to PostgreSQL without parsing them. */
export type Batch = {
  readonly number: number;
  readonly urls: string;
  readonly frontier: string;
  readonly pages: string;
  readonly findings: string;
  readonly rows: string;
  readonly robots: string;
  readonly families: string;
  /** Rows of `crawl_links` as RowBinary; empty: none. */
  readonly links: Uint8Array;
  readonly bodies: readonly { readonly sha: string; readonly gzip: Uint8Array }[];
  readonly counters: RunCounters;
  readonly activeMs: number;
  /** Ids of leases whose results it contains. */
  readonly leases: readonly string[];
};

export type Discovered = {
  readonly url: string;
  readonly depth: number;
  readonly hops: number;
  readonly source: FrontierSource;
  readonly fromId: number | null;
};
/** What another worker reads for the one that leads the run. */
export type LentBatch = {
  /** With its page of the base run, and whether a sitemap has it. */
  readonly entries: readonly (FrontierEntry & { readonly base: BasePage | null; readonly inSitemap: boolean })[];
  /** All are of one host, of whose limits this is a part. */
  readonly share: HostLimits;
  /** Addresses of hosts that seeds led to. */
  readonly addedHosts: readonly string[];
  /** Pages by charset so far. */
  readonly charsets: readonly (readonly [string, number])[];
};
/** A page that another worker read. `simhash`: of a page that was parsed, in decimal digits. */
export type PageReport = { readonly id: number; readonly url: string; simhash: string | null; readonly found: Discovered[] };
/** What its worker returns beside the rows that it writes itself. Entries in neither list were not requested. */
export type ReadResult = {
  readonly pages: readonly PageReport[];
  /** Ids of addresses that are to be tried again. */
  readonly retries: readonly number[];
  readonly outcomes: readonly Outcome[];
  readonly counters: Pick<RunCounters, 'pages' | 'skipped' | 'errors' | 'bytes' | 'statuses' | 'needScripts' | 'issues'>;
};

/**
 * done      nothing waits any more
 * limited   ended at a limit, which `reason` names
 * waiting   robots.txt of all hosts that are left cannot be read; `retryAt` in epoch ms
 * ended     somebody paused or stopped it
 */
export type CrawlEnd = {
  readonly kind: 'done' | 'limited' | 'waiting' | 'ended';
  readonly reason: 'pages' | 'minutes' | 'megabytes' | 'robots' | null;
  readonly retryAt: number | null;
  readonly observations: SiteObservations | null;
};

export type ToCrawl =
  | { readonly type: 'start'; readonly start: CrawlStart }
  | { readonly type: 'frontier'; readonly entries: readonly StoredEntry[] }
  | { readonly type: 'base'; readonly pages: readonly BasePage[] }
  | { readonly type: 'go' }
  /** Workers that offer help, those that have a batch included, and the ids of what they offer. */
  | { readonly type: 'offers'; readonly helpers: number; readonly ids: readonly string[] }
  | { readonly type: 'returned'; readonly id: string; readonly result: ReadResult }
  | { readonly type: 'lost'; readonly id: string }
  /** To a process that helps with a run that another one leads; `end` ends a batch early. */
  | { readonly type: 'help'; readonly start: CrawlStart }
  | { readonly type: 'read'; readonly batch: LentBatch }
  /** To a process that does nothing else (`oneOffProcess.ts`); see `render/onePage.ts`. */
  | { readonly type: 'render'; readonly start: CrawlStart; readonly response: Fetched; readonly usualCharset: string | null }
  /** The same; see `extractOnce.ts`. */
  | { readonly type: 'extract'; readonly page: Source; readonly extraction: Extraction }
  | { readonly type: 'written'; readonly number: number }
  | { readonly type: 'body'; readonly sha: string; readonly gzip: Uint8Array | null }
  | { readonly type: 'family'; readonly host: string; readonly family: string; readonly state: 'allowed' | 'excluded' }
  /** Requests per second while people use the console; null: as many as the hosts allow. */
  | { readonly type: 'pace'; readonly perSecond: number | null }
  | { readonly type: 'end' }
  /** After the last page: the pages that were read, then the links between them in several parts, then the request for their ranks or for their `crawlDepths` (`linkGraph.ts`). */
  | { readonly type: 'graph'; readonly ids: Float64Array; readonly starts: Uint8Array }
  | { readonly type: 'edges'; readonly rows: Uint8Array }
  | { readonly type: 'rank' }
  | { readonly type: 'depths' };
export type FromCrawl =
  | { readonly type: 'ready' }
  /** Sent every few seconds: the process is not stuck. */
  | { readonly type: 'alive' }
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'lend'; readonly id: string; readonly batch: LentBatch }
  | { readonly type: 'recall'; readonly ids: readonly string[] }
  /** `result`: a `ReadResult` as JSON text, which the program stores without parsing it. */
  | { readonly type: 'read'; readonly batch: Batch; readonly result: string }
  | { readonly type: 'body'; readonly sha: string }
  | { readonly type: 'end'; readonly end: CrawlEnd }
  | { readonly type: 'rendered'; readonly page: ParsedPage }
  | { readonly type: 'extracted'; readonly rows: readonly RowValues[] }
  | ({ readonly type: 'ranked' } & RankedPages)
  | { readonly type: 'depths'; readonly depths: Uint32Array }
  | { readonly type: 'failed'; readonly message: string };
