import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteId } from '../sites/schemas';
import { rowId, safeName, safeText } from '../text';
import { crawlerCalls as calls } from './calls';
import { CrawlerConfig, Extraction } from './config';
import {
  crawlerKinds,
  crawlExports,
  crawlLimits,
  exportFormats,
  fetchErrors,
  pageReadings,
  renderModes,
  renderStops,
  runStates,
  runTriggers,
  sampleErrors,
  skipReasons,
} from './terms';

/** Crawlers and their runs. What runs found is in `inventory.ts`. */

const Counters = z.object({
  discovered: z.int(),
  queued: z.int(),
  pages: z.int(),
  skipped: z.int(),
  errors: z.int(),
  bytes: z.int(),
  statuses: z.record(z.string(), z.int()),
  issues: z.object({ error: z.int(), warning: z.int(), notice: z.int() }),
});

export const CrawlRun = z.object({
  id: z.uuid(),
  crawlerId: z.uuid(),
  siteId: SiteId,
  /** Counts from 1 within the crawler. */
  number: z.int(),
  trigger: z.enum(runTriggers),
  state: z.enum(runStates),
  counters: Counters,
  /** Whether the hosts were verified as the site's own when the run started; limits and politeness depend on it. */
  verified: z.boolean(),
  /** 0–100; null: not finished, or nothing to judge. */
  score: z.number().nullable(),
  /** A code of why it ended. */
  reason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Milliseconds of crawling, pauses excluded. */
  activeMs: z.int(),
  /** Issues that this run was the first to find, and that it no longer found. */
  newIssues: z.int(),
  fixedIssues: z.int(),
  /** Whether its pages are still stored. */
  stored: z.boolean(),
});
export type CrawlRun = z.infer<typeof CrawlRun>;

/** What an open run is doing. */
const RunProgress = z.object({
  /** Pages and wire bytes per second, over the last ten seconds. */
  pagesPerSecond: z.number(),
  bytesPerSecond: z.number(),
  /** Median and 95th percentile of the time to the first byte in the last ten seconds, in milliseconds; null: no page. */
  latency: z.object({ median: z.int(), p95: z.int() }).nullable(),
  /** Milliseconds until the queue is empty at the present speed; null: unknown. It grows while new addresses are found. */
  remainingMs: z.int().nullable(),
  /** Hosts with the most requests. `limit`: connections that are allowed now; `delayMs`: between two requests; `closed`: robots.txt cannot be read. */
  hosts: z.array(z.object({ host: z.string(), limit: z.number(), active: z.int(), delayMs: z.number(), averageMs: z.number(), closed: z.boolean() })),
  /** Workers that read the run together. */
  workers: z.int(),
  /** Requests per second that each worker may send while people use the console, as the leading one reports it: all follow the same announcements. null: nothing slows them down. */
  pace: z.int().nullable(),
  pausedFamilies: z.int(),
});
/** Pages that are written by scripts: how many there are, whose scripts were run, and where that failed; `stop`: why no more of them are. */
const RunRendering = z.object({ needScripts: z.int(), rendered: z.int(), failures: z.int(), stop: z.enum(renderStops).nullable() });
/** A page that was read lately. */
const RecentPage = z.object({ url: z.string(), status: z.int(), error: z.enum(fetchErrors).nullable(), ms: z.int(), bytes: z.int(), at: z.iso.datetime() });
export const CrawlRunDetail = z.object({
  ...CrawlRun.shape,
  config: CrawlerConfig,
  /** null: it has ended. */
  progress: RunProgress.nullable(),
  rendering: RunRendering,
  /** Latest first. */
  recent: z.array(RecentPage),
  /** Rows of each extraction. */
  rows: z.array(z.object({ extraction: z.string(), rows: z.int() })),
});
export type CrawlRunDetail = z.infer<typeof CrawlRunDetail>;

const Alerts = z.strictObject({
  /** Notices when a run ends. */
  completed: z.boolean(),
  /** Notices when a run finds errors that the run before did not. */
  newErrors: z.boolean(),
});
const secretName = z.string().regex(/^[A-Za-z0-9-]{1,60}$/);
const fields = {
  name: safeName(100),
  kind: z.enum(crawlerKinds),
  config: CrawlerConfig,
  /** Cron expression of five fields in `timeZone`; null: by hand only. */
  schedule: safeText(100).nullable(),
  timeZone: z.string().max(60),
  enabled: z.boolean(),
  retainedRuns: z.int().min(1).max(50),
  alerts: Alerts,
};
/** `secrets`: headers by name whose values are stored sealed and never returned; null: the stored value is deleted. Others stay. */
export const CrawlerInput = z.strictObject({ ...fields, secrets: z.record(secretName, z.string().min(1).max(2000).nullable()).default({}) });
export type CrawlerInput = z.output<typeof CrawlerInput>;

export const Crawler = z.object({
  ...fields,
  id: z.uuid(),
  siteId: SiteId,
  /** Names of headers with sealed values. */
  secretNames: z.array(z.string()),
  nextAt: z.iso.datetime().nullable(),
  /** Whether all hosts of the seeds are verified as the site's own. */
  verified: z.boolean(),
  lastRun: CrawlRun.nullable(),
  /** Scores of the last runs, oldest first. */
  scores: z.array(z.number()),
  /** Issues that are open or regressed, by severity. */
  openIssues: z.object({ error: z.int(), warning: z.int(), notice: z.int() }),
  revision: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Crawler = z.infer<typeof Crawler>;

const { config: _config, verified: _verified, ...summaryShape } = Crawler.shape;
/** A row of the list. */
export const CrawlerSummary = z.object({ ...summaryShape, /** The first address that it starts from. */ seed: z.string(), seeds: z.int() });
export type CrawlerSummary = z.infer<typeof CrawlerSummary>;

export const CrawlTarget = z.object({
  /** Where the address leads after redirects. */
  url: z.string(),
  status: z.int(),
  error: z.enum(fetchErrors).nullable(),
  title: z.string().nullable(),
  /** Whether its host is verified as the site's own. */
  verified: z.boolean(),
  /** `closed`: robots.txt cannot be read; `blocked`: it forbids the address. */
  robots: z.enum(['allowed', 'blocked', 'closed']),
  crawlDelay: z.number().nullable(),
  sitemaps: z.array(z.string()),
  /** Addresses of the first sitemaps; null: none was read. */
  sitemapAddresses: z.int().nullable(),
  /** Recognised software, such as `WordPress`; null: none. */
  platform: z.string().nullable(),
  charset: z.string(),
  bytes: z.int(),
  firstByteMs: z.int(),
  /** Whether the text of the page is written by scripts. */
  needsScripts: z.boolean(),
  /** Whether the server has a Chromium, which can run scripts of pages. */
  canRender: z.boolean(),
});
export type CrawlTarget = z.infer<typeof CrawlTarget>;

const ScopeVerdict = z.object({ url: z.string(), included: z.boolean(), reason: z.enum(skipReasons).nullable() });
export const ScopeResult = z.object({
  /** Verdicts about the given addresses. */
  urls: z.array(ScopeVerdict),
  /** Verdicts about addresses that earlier runs of the site's crawlers met. */
  known: z.object({ included: z.int(), excluded: z.int(), sample: z.array(ScopeVerdict) }),
});
export type ScopeResult = z.infer<typeof ScopeResult>;

const RowValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]));
export const CrawlRow = z.object({ url: z.string(), row: z.int(), values: RowValues });
export type CrawlRow = z.infer<typeof CrawlRow>;
export const ExtractionResult = z.object({
  url: z.string(),
  applies: z.boolean(),
  rows: z.array(RowValues),
  total: z.int(),
  problems: z.array(z.string()),
  reading: z.enum(pageReadings),
});
export type ExtractionResult = z.infer<typeof ExtractionResult>;

/** An element with the attributes that selectors and columns use, or a text. */
const SampleNode = z.union([
  z.object({ /** Index of the element that contains it; -1: none. */ parent: z.int(), name: z.string(), attributes: z.record(z.string(), z.string()) }),
  z.object({ parent: z.int(), text: z.string() }),
]);
export const PageSample = z.object({
  /** Where the address leads after redirects. */
  url: z.string(),
  status: z.int(),
  error: z.enum(sampleErrors).nullable(),
  reading: z.enum(pageReadings),
  /** Whether the page has a password field: it may be a sign-in page instead of the one that was asked for. */
  hasPasswordField: z.boolean(),
  /** In the order of the document. */
  nodes: z.array(SampleNode),
  /** False: the page is too large, and `nodes` ends before it does. */
  complete: z.boolean(),
});
export type PageSample = z.infer<typeof PageSample>;

export const CrawlFamily = z.object({
  host: z.string(),
  family: z.string(),
  pages: z.int(),
  waiting: z.int(),
  state: z.enum(['open', 'paused', 'allowed', 'excluded']),
  reason: z.enum(['budget', 'novelty']).nullable(),
});
export type CrawlFamily = z.infer<typeof CrawlFamily>;

const SiteParams = z.object({ siteId: SiteId });
const CrawlerParams = z.object({ crawlerId: rowId });
const RunParams = z.object({ crawlRunId: rowId });
const reads = { access: { resource: 'crawler', action: 'crawler.read' }, token: 'crawler:read', params: CrawlerParams } as const;
const configures = { access: { resource: 'crawler', action: 'crawler.configure' }, token: 'crawler:write', params: CrawlerParams } as const;
const readsRun = { access: { resource: 'crawlRun', action: 'crawler.read' }, token: 'crawler:read', params: RunParams } as const;
const runs = { access: { resource: 'crawlRun', action: 'crawler.run' }, token: 'crawler:write', params: RunParams } as const;
const tries = { access: { site: 'crawler.configure' }, token: 'crawler:write', params: SiteParams, ratePerMinute: 30 } as const;
const pageToTry = { url: z.url({ protocol: /^https?$/ }).max(crawlLimits.urlLength), render: z.enum(renderModes).default('off') } as const;
/** Configurations with long lists of addresses are large. */
const bodyLimit = 2 * 1024 * 1024;

export const crawlerEndpoints = {
  crawlers: endpoint(calls.crawlers, {
    access: 'session',
    token: 'crawler:read',
    summary: 'Crawlers of all sites whose crawlers the caller may read, with their last runs',
    query: z.object({
      ...pageQuery,
      q: safeText(100).optional(),
      siteId: SiteId.optional(),
      kind: z.enum(crawlerKinds).optional(),
      /** Of the last run; `never`: none yet, `open`: not ended. */
      state: z.enum(['never', 'open', 'completed', 'limited', 'stopped', 'failed']).optional(),
    }),
    response: Page(CrawlerSummary),
  }),
  addCrawler: endpoint(calls.addCrawler, {
    access: { site: 'crawler.configure' },
    token: 'crawler:write',
    summary: 'Create a crawler',
    params: SiteParams,
    body: CrawlerInput,
    bodyLimit,
    response: Crawler,
    errors: ['invalid_fields', 'conflict'],
  }),
  crawler: endpoint(calls.crawler, { ...reads, summary: 'One crawler with its configuration; secret headers by name only', response: Crawler }),
  changeCrawler: endpoint(calls.changeCrawler, {
    ...configures,
    ifMatch: 'required',
    summary: 'Change a crawler (If-Match: revision); a run that is open keeps the configuration it started with',
    body: CrawlerInput,
    bodyLimit,
    response: Crawler,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  removeCrawler: endpoint(calls.removeCrawler, {
    ...configures,
    summary: 'Delete a crawler with its runs and everything that they found; its name confirms it',
    body: z.strictObject({ confirm: z.string().max(200) }),
    errors: ['confirm_mismatch', 'bad_transition'],
  }),
  probeTarget: endpoint(calls.probeTarget, {
    ...tries,
    summary: 'Read an address, its robots.txt and its sitemaps, to see what a crawler would meet',
    body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(crawlLimits.urlLength) }),
    response: CrawlTarget,
    errors: ['invalid_fields'],
  }),
  testScope: endpoint(calls.testScope, {
    ...tries,
    summary: 'Which of the given and the known addresses a scope includes',
    body: z.strictObject({
      seeds: CrawlerConfig.shape.seeds,
      scope: CrawlerConfig.shape.scope,
      urls: z.array(z.string().max(crawlLimits.urlLength)).max(200),
    }),
    bodyLimit,
    response: ScopeResult,
    errors: ['invalid_fields'],
  }),
  samplePage: endpoint(calls.samplePage, {
    ...tries,
    summary: 'The elements and text of one page as plain data, for choosing the rows and columns of an extraction. Large pages are truncated',
    body: z.strictObject(pageToTry),
    response: PageSample,
    errors: ['invalid_fields', 'too_many_requests'],
  }),
  testExtraction: endpoint(calls.testExtraction, {
    ...tries,
    ratePerMinute: 60,
    summary: 'The rows that an extraction reads from one page now; at most 20 are returned',
    body: z.strictObject({
      ...pageToTry,
      extraction: Extraction,
      /** Whether to use the page of a sample from the last five minutes, if there is one, instead of requesting it again. */
      sampled: z.boolean().default(false),
    }),
    response: ExtractionResult,
    errors: ['invalid_fields', 'too_many_requests'],
  }),
  crawlRuns: endpoint(calls.crawlRuns, {
    ...reads,
    summary: 'Runs of a crawler, latest first, a page at a time by cursor',
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional(),
      size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.object({ rows: z.array(CrawlRun), next: z.string().nullable() }),
  }),
  startCrawl: endpoint(calls.startCrawl, {
    access: { resource: 'crawler', action: 'crawler.run' },
    token: 'crawler:write',
    params: CrawlerParams,
    summary: 'Start a run; a crawler has at most one open run',
    response: CrawlRun,
    errors: ['bad_transition'],
  }),
  crawlRun: endpoint(calls.crawlRun, { ...readsRun, summary: 'One run: counters, speed, limits and the pages that were read last', response: CrawlRunDetail }),
  pauseCrawl: endpoint(calls.pauseCrawl, { ...runs, summary: 'Pause a run', response: CrawlRun, errors: ['bad_transition'] }),
  resumeCrawl: endpoint(calls.resumeCrawl, { ...runs, summary: 'Resume a paused run', response: CrawlRun, errors: ['bad_transition'] }),
  stopCrawl: endpoint(calls.stopCrawl, { ...runs, summary: 'Stop a run; what it found stays', response: CrawlRun, errors: ['bad_transition'] }),
  crawlFamilies: endpoint(calls.crawlFamilies, {
    ...readsRun,
    summary: 'Families of addresses that a run paused, or that somebody allowed or excluded',
    response: z.array(CrawlFamily),
  }),
  setCrawlFamily: endpoint(calls.setCrawlFamily, {
    ...runs,
    summary: 'Allow or exclude a family of addresses in a run that is open',
    body: z.strictObject({ host: z.string().max(255), family: z.string().max(crawlLimits.urlLength), state: z.enum(['allowed', 'excluded']) }),
    response: z.array(CrawlFamily),
    errors: ['not_found', 'bad_transition'],
  }),
  crawlRows: endpoint(calls.crawlRows, {
    ...readsRun,
    summary: 'Rows that an extraction read, in the order of their addresses, a page at a time by cursor',
    query: z.object({
      extraction: safeName(60),
      before: z
        .string()
        .regex(/^\d{1,18}\.\d{1,9}$/)
        .optional(),
      size: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ rows: z.array(CrawlRow), total: z.int(), next: z.string().nullable() }),
  }),
  storeCrawlRows: endpoint(calls.storeCrawlRows, {
    access: { resource: 'crawlRun', action: 'crawler.configure' },
    token: 'crawler:write',
    params: RunParams,
    summary:
      'Write the rows of an extraction into a content table as one batch, which can be undone; with a key field, records with the same value are updated',
    body: z.strictObject({
      extraction: safeName(60),
      tableId: z.string().min(1).max(60),
      /** Field of each column, by name of the column; `@url` is the address of the page. Columns without a field are not written. */
      fields: z.record(safeName(60), z.string().min(1).max(100)),
      /** A unique or indexed field: records with the same value are updated. */
      keyField: z.string().min(1).max(100).nullable(),
    }),
    response: z.object({ jobId: z.uuid(), batchId: z.uuid() }),
    errors: ['invalid_fields', 'not_found', 'forbidden'],
  }),
  exportCrawl: endpoint(calls.exportCrawl, {
    ...readsRun,
    summary: 'Download what a run found: pages, issues, links or extracted rows as CSV, JSON Lines or XLSX, a sitemap, or the stored pages as WARC',
    query: z.object({ what: z.enum(crawlExports), format: z.enum(exportFormats), extraction: safeName(60).optional() }),
    kind: 'file',
    ratePerMinute: 30,
    errors: ['invalid_fields', 'not_found'],
  }),
} as const;
