import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CrawlerConfig } from '../../../contract/crawler/config';
import type { PageFacts } from '../../../contract/crawler/facts';
import type { SiteObservations } from '../../../contract/crawler/observations';
import type { CrawlerKind, FetchError, IndexReason, IssueState, RunState, RunTrigger, Severity, SkipReason } from '../../../contract/crawler/terms';
import { noChanges, noIssues } from './counters';
import type { IssueChanges, RunCounters, SeverityCounts } from './counters';
import type { LentBatch, ReadResult } from './engine/protocol';
import type { Migration } from '../../stores/clickhouse/migrate';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const siteId = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Crawlers. Each belongs to a site, whose members may read it; its addresses may be anywhere. */
export const crawlers = pgTable(
  'crawlers',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: siteId(),
    name: text().notNull(),
    kind: text().$type<CrawlerKind>().notNull(),
    config: jsonb().$type<CrawlerConfig>().notNull(),
    /** Headers with secrets, sealed. */
    secrets: bytes(),
    /** Cron expression in `timeZone`; null: only by hand. */
    schedule: text(),
    timeZone: text('time_zone').notNull(),
    enabled: boolean().notNull().default(true),
    nextAt: moment('next_at'),
    /** Runs whose pages are stored. */
    retainedRuns: smallint('retained_runs').notNull().default(5),
    /** Issues that are open or regressed, as `storeIssueCounts` last counted them. */
    openIssues: jsonb('open_issues').$type<SeverityCounts>().notNull().default(noIssues),
    alerts: jsonb().$type<{ readonly completed: boolean; readonly newErrors: boolean }>().notNull().default({ completed: false, newErrors: true }),
    revision: integer().notNull().default(1),
    createdBy: uuid('created_by'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    index('crawlers_site_index').on(t.siteId),
    index('crawlers_due_index')
      .on(t.nextAt)
      .where(sql`${t.enabled} and ${t.nextAt} is not null`),
  ],
);

export const crawlRuns = pgTable(
  'crawl_runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    crawlerId: uuid('crawler_id')
      .notNull()
      .references(() => crawlers.id, { onDelete: 'cascade' }),
    siteId: siteId(),
    /** Counts from 1 within the crawler. */
    number: integer().notNull(),
    trigger: text().$type<RunTrigger>().notNull(),
    state: text().$type<RunState>().notNull(),
    /** The run whose ETags and bodies are reused, and which results are compared with. */
    baseRunId: uuid('base_run_id'),
    config: jsonb().$type<CrawlerConfig>().notNull(),
    /** Whether all hosts of the seeds were verified as the site's own when it started. */
    verified: boolean().notNull(),
    jobId: uuid('job_id'),
    counters: jsonb().$type<RunCounters>().notNull(),
    /** What the run learnt about hosts and sitemaps; null: nothing yet. */
    observations: jsonb().$type<SiteObservations>(),
    /** 0–100. */
    score: real(),
    /** A code of why it ended. */
    reason: text(),
    createdBy: uuid('created_by'),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
    /** Milliseconds of crawling, pauses excluded. */
    activeMs: bigint('active_ms', { mode: 'number' }).notNull().default(0),
    /** As `storeIssueCounts` last counted them. */
    issueChanges: jsonb('issue_changes').$type<IssueChanges>().notNull().default(noChanges),
    /** When notices of its end were written, and its rows were passed on. */
    announcedAt: moment('announced_at'),
    /** Whether its pages were deleted, because newer runs are enough. */
    purged: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('crawl_runs_number_key').on(t.crawlerId, t.number),
    uniqueIndex('crawl_runs_open_key')
      .on(t.crawlerId)
      .where(sql`${t.state} in ('queued', 'running', 'waiting', 'pausing', 'paused', 'stopping')`),
    index('crawl_runs_ended_index')
      .on(t.finishedAt)
      .where(sql`${t.announcedAt} is null`),
  ],
);

/**
 * Addresses that crawlers of a site have met. `id` is computed from the site and the address (`urlId`), so it is the same in all runs, and the engine knows it
 * without asking the database. Rows of two sites never share one: join with `site_id` as well.
 */
export const crawlUrls = pgTable(
  'crawl_urls',
  {
    id: bigint({ mode: 'number' }).notNull(),
    siteId: siteId(),
    url: text().notNull(),
    host: text().notNull(),
    /** `urlFamily` of the address. */
    family: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] }), index('crawl_urls_family_index').on(t.siteId, t.host, t.family)],
);

export const frontierSources = ['seed', 'link', 'sitemap', 'redirect', 'canonical', 'hreflang', 'resource', 'external'] as const;
/** The frontier of a run as journalled. State 0: queued, 1: done, 2: skipped. */
export const crawlFrontier = pgTable(
  'crawl_frontier',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    urlId: bigint('url_id', { mode: 'number' }).notNull(),
    depth: smallint().notNull(),
    priority: real().notNull(),
    fromUrlId: bigint('from_url_id', { mode: 'number' }),
    /** Redirects that led here, one after the other. */
    hops: smallint().notNull().default(0),
    source: text().$type<(typeof frontierSources)[number]>().notNull(),
    state: smallint().notNull(),
    skipReason: text('skip_reason').$type<SkipReason>(),
    attempts: smallint().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.runId, t.urlId] })],
);

/**
 * Help of other workers with a run. `offered`: a worker waits for addresses; `lent`: it reads those of `batch`; `returned`: its pages are written, and `result` waits for
 * the worker that leads the run.
 */
export const crawlLeases = pgTable(
  'crawl_leases',
  {
    id: uuid().primaryKey(),
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    state: text().$type<'offered' | 'lent' | 'returned'>().notNull(),
    /** Of an offer and of a lent batch, which the worker renews; afterwards both are void. */
    leaseUntil: moment('lease_until').notNull(),
    /** The batch is to be returned with what was read so far. */
    recalled: boolean().notNull().default(false),
    batch: jsonb().$type<LentBatch>(),
    result: jsonb().$type<ReadResult>(),
  },
  (t) => [index('crawl_leases_run_index').on(t.runId)],
);

/** One row for each address that a run requested, redirects and resources included. */
export const crawlPages = pgTable(
  'crawl_pages',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    urlId: bigint('url_id', { mode: 'number' }).notNull(),
    /** Whether it belongs to the crawled site; others are checked links and resources. */
    internal: boolean().notNull(),
    /** HTML, in contrast to resources and files. */
    html: boolean().notNull(),
    /** 0: no response. */
    status: smallint().notNull(),
    error: text().$type<FetchError>(),
    redirectTo: bigint('redirect_to', { mode: 'number' }),
    mime: text().notNull(),
    wireBytes: integer('wire_bytes').notNull(),
    bytes: integer().notNull(),
    connectMs: integer('connect_ms').notNull(),
    firstByteMs: integer('first_byte_ms').notNull(),
    totalMs: integer('total_ms').notNull(),
    etag: text(),
    lastModified: text('last_modified'),
    /** Whether the server answered 304, or the body is that of the base run. */
    reused: boolean().notNull(),
    /** SHA-256 of the decoded body, which the store of bodies has it by. */
    sha: bytes(),
    /** Of the main text. */
    textHash: bytes('text_hash'),
    simhash: bigint({ mode: 'bigint' }),
    /** Of the structure of tags; equal for pages of one template. */
    template: text(),
    indexable: boolean().notNull(),
    indexReason: text('index_reason').$type<IndexReason>().notNull(),
    title: text(),
    description: text(),
    h1: text(),
    language: text(),
    canonicalId: bigint('canonical_id', { mode: 'number' }),
    units: integer().notNull(),
    depth: smallint().notNull(),
    linksIn: integer('links_in').notNull().default(0),
    linksInternal: integer('links_internal').notNull(),
    linksExternal: integer('links_external').notNull(),
    /** Sum 1 over the internal pages of a run; written at its end. */
    pageRank: real('page_rank'),
    inSitemap: boolean('in_sitemap').notNull().default(false),
    facts: jsonb().$type<PageFacts>().notNull(),
    fetchedAt: moment('fetched_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.urlId] }), index('crawl_pages_url_index').on(t.urlId), index('crawl_pages_recent_index').on(t.runId, t.fetchedAt)],
);

/** An issue of a crawler: one rule at one address (or at the whole site: `urlId` null), through all runs. */
export const crawlIssues = pgTable(
  'crawl_issues',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    crawlerId: uuid('crawler_id')
      .notNull()
      .references(() => crawlers.id, { onDelete: 'cascade' }),
    siteId: siteId(),
    rule: text().notNull(),
    urlId: bigint('url_id', { mode: 'number' }),
    /** First 16 bytes of SHA-256 of rule, address and, where a page may have it several times, subject. */
    fingerprint: bytes().notNull(),
    state: text().$type<IssueState>().notNull(),
    severity: text().$type<Severity>().notNull(),
    /** Values for the message of the rule. */
    detail: jsonb().$type<Readonly<Record<string, string | number>>>().notNull(),
    firstRun: integer('first_run').notNull(),
    lastRun: integer('last_run').notNull(),
    fixedRun: integer('fixed_run'),
    /** The state that an ignored issue had before. */
    previousState: text('previous_state').$type<IssueState>(),
    ignoredBy: uuid('ignored_by'),
    ignoredReason: text('ignored_reason'),
    ignoredUntil: moment('ignored_until'),
    impact: real().notNull(),
    changedAt: moment('changed_at').notNull(),
  },
  (t) => [
    uniqueIndex('crawl_issues_fingerprint_key').on(t.crawlerId, t.fingerprint),
    index('crawl_issues_open_index').on(t.crawlerId, t.state, t.impact),
    index('crawl_issues_url_index').on(t.crawlerId, t.urlId),
  ],
);

/** The issues that a run found. */
export const crawlFindings = pgTable(
  'crawl_findings',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    issueId: bigint('issue_id', { mode: 'number' }).notNull(),
    severity: text().$type<Severity>().notNull(),
    detail: jsonb().$type<Readonly<Record<string, string | number>>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.issueId] })],
);

/** Families of addresses of a run that were paused, by novelty or budget, or that somebody excluded. */
export const crawlFamilies = pgTable(
  'crawl_families',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    host: text().notNull(),
    family: text().notNull(),
    pages: integer().notNull(),
    waiting: integer().notNull(),
    state: text().$type<'open' | 'paused' | 'allowed' | 'excluded'>().notNull(),
    reason: text().$type<'budget' | 'novelty'>(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.host, t.family] })],
);

/** Rows of extractions. */
export const crawlRows = pgTable(
  'crawl_rows',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    extraction: text().notNull(),
    urlId: bigint('url_id', { mode: 'number' }).notNull(),
    row: integer().notNull(),
    values: jsonb().$type<Readonly<Record<string, string | number | boolean | readonly string[] | null>>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.extraction, t.urlId, t.row] })],
);

/** The last answer of a host for /robots.txt; status 0: none. */
export const crawlRobots = pgTable(
  'crawl_robots',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => crawlRuns.id, { onDelete: 'cascade' }),
    origin: text().notNull(),
    status: smallint().notNull(),
    body: text().notNull(),
    /** Failures in a row: after the fourth it is not requested again in this run. */
    failures: smallint().notNull().default(0),
    fetchedAt: moment('fetched_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.origin] })],
);

/**
 * ClickHouse: links of the pages of a run. `position` is the number of the link in its page; `src` and `dst` are ids of `crawl_urls`. A batch that is written again replaces
 * its rows; read with FINAL.
 */
export const crawlerMigrations: readonly Migration[] = [
  {
    id: 'crawler_0001_links',
    statements: [
      `CREATE TABLE IF NOT EXISTS crawl_links (
        site_id LowCardinality(String),
        run_id LowCardinality(String),
        src UInt64,
        position UInt32,
        dst UInt64,
        kind LowCardinality(String),
        place LowCardinality(String),
        anchor String CODEC(ZSTD(1)),
        fragment String CODEC(ZSTD(1)),
        nofollow UInt8,
        sponsored UInt8,
        ugc UInt8,
        internal UInt8,
        written String CODEC(ZSTD(1))
      ) ENGINE = ReplacingMergeTree
      ORDER BY (site_id, run_id, src, position)
      SETTINGS index_granularity = 4096`,
    ],
  },
];
