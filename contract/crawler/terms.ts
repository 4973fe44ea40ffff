/** Constants and types of the crawler without zod. */

export const crawlerKinds = ['audit', 'links', 'extract'] as const;
export type CrawlerKind = (typeof crawlerKinds)[number];

export const scopeModes = ['host', 'domain', 'prefix', 'list'] as const;
export type ScopeMode = (typeof scopeModes)[number];

/**
 * queued    waits for a worker
 * waiting   robots.txt cannot be read; it is requested again later
 * stopping  somebody stopped or paused it; the worker still writes what it has
 * limited   ended at one of its limits
 */
export const runStates = ['queued', 'running', 'waiting', 'pausing', 'paused', 'stopping', 'stopped', 'completed', 'limited', 'failed'] as const;
export type RunState = (typeof runStates)[number];
/** States of a run that is in progress or can be resumed. At most one run of a crawler is open. */
export const openRunStates = ['queued', 'running', 'waiting', 'pausing', 'paused', 'stopping'] as const satisfies readonly RunState[];
export const isOpenRun = ({ state }: { readonly state: RunState }): boolean => (openRunStates as readonly RunState[]).includes(state);
export const runTriggers = ['manual', 'schedule', 'api', 'recheck'] as const;
export type RunTrigger = (typeof runTriggers)[number];

/** Why an address was not read. `robots`, `scope`, `limit`, `family` and `pattern` are decisions; all others are failures of the network. */
export const fetchErrors = ['dns', 'refused', 'timeout', 'tls', 'network', 'too_large', 'address_refused', 'bad_response'] as const;
export type FetchError = (typeof fetchErrors)[number];
/** Of the columns of an extraction. */
export const columnTypes = ['text', 'number', 'date', 'url', 'boolean'] as const;
/** Why there is no sample of a page; `sign_in`: it needs an account. */
export const sampleErrors = [...fetchErrors, 'not_html', 'sign_in'] as const;
export const skipReasons = ['robots', 'scope', 'depth', 'limit', 'family', 'pattern', 'too_long', 'not_http'] as const;
export type SkipReason = (typeof skipReasons)[number];

export const linkKinds = [
  'a',
  'image',
  'style',
  'script',
  'frame',
  'form',
  'media',
  'canonical',
  'hreflang',
  'next',
  'previous',
  'feed',
  'manifest',
  'redirect',
  'refresh',
  'sitemap',
  'json_ld',
] as const;
export type LinkKind = (typeof linkKinds)[number];
export const linkPositions = ['nav', 'header', 'main', 'aside', 'footer', 'other'] as const;
export type LinkPosition = (typeof linkPositions)[number];

/** Why a page cannot be in a search index; `ok`: it can. */
export const indexReasons = ['ok', 'status', 'redirect', 'noindex', 'canonical', 'robots', 'not_html', 'error'] as const;
export type IndexReason = (typeof indexReasons)[number];

export const severities = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof severities)[number];
export const issueStates = ['open', 'fixed', 'regressed', 'ignored'] as const;
export type IssueState = (typeof issueStates)[number];

/** Whose scripts a Chromium of the server runs: `auto`: of pages that are written by scripts. */
export const renderModes = ['off', 'auto', 'all'] as const;
export type RenderMode = (typeof renderModes)[number];
/** What holds for configurations without rendering. */
export const usualRender: { readonly mode: RenderMode; readonly pages: number } = { mode: 'off', pages: 500 };
/** Why a page was not rendered; `failed`: the browser did not start, or ended. */
export const renderProblems = ['timeout', 'too_large', 'crashed', 'failed'] as const;
export type RenderProblem = (typeof renderProblems)[number];
/** How a page was read for a check or a preview: `received` if no scripts were to be run or the page needs none; otherwise with its scripts, or why not. */
export const pageReadings = ['received', 'rendered', 'no_browser', ...renderProblems] as const;
export type PageReading = (typeof pageReadings)[number];
/** What scripts of a page may not do, so that what depends on it is missing. `write`: send anything but GET and HEAD; `robots`: request what robots.txt forbids; `limit`: request that much. */
export const refusedRequests = ['write', 'events', 'socket', 'robots', 'private', 'limit'] as const;
export type RefusedRequest = (typeof refusedRequests)[number];
/** Why a run rendered no further pages. */
export const renderStops = ['no_browser', 'browser_failed', 'limit'] as const;
export type RenderStop = (typeof renderStops)[number];

/** Limits of every crawl. Bytes are decoded unless called wire bytes; times are milliseconds. */
export const crawlLimits = {
  urlLength: 2000,
  queryParameters: 8,
  redirects: 10,
  wireBytes: 10 * 1024 * 1024,
  decodedBytes: 20 * 1024 * 1024,
  connectTimeout: 5000,
  headersTimeout: 15_000,
  idleTimeout: 10_000,
  totalTimeout: 60_000,
  pages: 500_000,
  /** A site that is not verified as the reader's own. */
  foreign: { connections: 2, requestsPerSecond: 2, pages: 500 },
  own: { connections: 64, requestsPerSecond: 200 },
} as const;

/** What of a run can be downloaded, and how. A sitemap is XML, the stored pages are WARC; the others are tables. */
export const crawlExports = ['pages', 'issues', 'rows', 'sitemap', 'warc'] as const;

export const exportFormats = ['csv', 'jsonl', 'xlsx', 'xml', 'warc'] as const;
export type ExportFormat = (typeof exportFormats)[number];
