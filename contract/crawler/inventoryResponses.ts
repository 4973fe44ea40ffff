import { z } from 'zod';
import { rowId, safeText } from '../text';
import { PageFacts } from './facts';
import { comparedFields, inventoryLimits, issueLists, pageChanges, pageKinds, pageNumbers, pageSorts } from './inventoryTerms';
import { crawlerKinds, fetchErrors, indexReasons, issueStates, linkKinds, linkPositions, runStates, runTriggers, severities, skipReasons } from './terms';

export const DateTime = z.iso.datetime();
export const RunParams = z.object({ crawlRunId: rowId });
const UrlId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
export const PageParams = RunParams.extend({ urlId: UrlId });

/** A place in a list; the response names the next one as `next`. */
export const keyset = {
  before: z.string().max(3000).optional(),
  size: z.coerce.number().int().min(1).max(inventoryLimits.rows).default(50),
};
export const Rows = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), next: z.string().nullable() });
export const flag = z.enum(['0', '1']).optional();

/** A run as lists and the trend of a site show it. */
const CrawledRun = z.object({
  id: z.string(),
  crawlerId: z.string(),
  crawlerName: z.string(),
  kind: z.enum(crawlerKinds),
  number: z.int(),
  state: z.enum(runStates),
  trigger: z.enum(runTriggers),
  score: z.number().nullable(),
  pages: z.int(),
  issues: z.object({ error: z.int(), warning: z.int(), notice: z.int() }),
  createdAt: DateTime,
  finishedAt: DateTime.nullable(),
});
export type CrawledRun = z.infer<typeof CrawledRun>;
export const CrawledSite = z.object({
  /** Runs of all crawlers of the site that have pages, the newest first. */
  runs: z.array(CrawledRun),
  /** Addresses that any run has met. */
  addresses: z.int(),
  /** Of the newest run that ended: pages of the site, and those that a search index may have. */
  pages: z.int(),
  indexable: z.int(),
});
export type CrawledSite = z.infer<typeof CrawledSite>;

/** Filters of pages. Numbers: `depth:2:5`, `bytes:100000:` (no maximum). */
export const pageFilter = {
  q: safeText(200).optional(),
  kind: z.enum(pageKinds).optional(),
  /** `4xx`, `404`; `none`: no response. */
  status: z
    .string()
    .regex(/^(?:[1-5]xx|[1-5]\d\d|none)$/)
    .optional(),
  indexing: z.enum(['indexable', 'not_indexable', ...indexReasons]).optional(),
  template: z.string().max(100).optional(),
  family: safeText(300).optional(),
  language: z.string().max(40).optional(),
  rule: z.string().max(40).optional(),
  sitemap: flag,
  orphan: flag,
  range: z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z
      .array(
        z
          .string()
          .max(60)
          .regex(new RegExp(`^(?:${pageNumbers.join('|')}):\\d{0,12}(?:\\.\\d{1,12})?:\\d{0,12}(?:\\.\\d{1,12})?$`)),
      )
      .max(pageNumbers.length),
  ),
};
const PageFilter = z.object(pageFilter);
export type PageFilter = z.output<typeof PageFilter>;
export const pageOrder = { sort: z.enum(pageSorts).default('page_rank'), dir: z.enum(['asc', 'desc']).default('desc') };

export const CrawledPage = z.object({
  urlId: z.int(),
  url: z.string(),
  kind: z.enum(pageKinds),
  /** 0: no response. */
  status: z.int(),
  error: z.enum(fetchErrors).nullable(),
  indexable: z.boolean(),
  indexReason: z.enum(indexReasons),
  title: z.string().nullable(),
  description: z.string().nullable(),
  h1: z.string().nullable(),
  language: z.string().nullable(),
  template: z.string().nullable(),
  mime: z.string(),
  depth: z.int(),
  units: z.int(),
  bytes: z.int(),
  firstByteMs: z.int(),
  totalMs: z.int(),
  linksIn: z.int(),
  linksInternal: z.int(),
  linksExternal: z.int(),
  pageRank: z.number().nullable(),
  inSitemap: z.boolean(),
  issues: z.int(),
  fetchedAt: DateTime,
});
export type CrawledPage = z.infer<typeof CrawledPage>;

const Facet = z.object({ value: z.string(), pages: z.int() });
export const PageFacets = z.object({
  total: z.int(),
  statuses: z.array(Facet),
  indexing: z.array(Facet),
  kinds: z.array(Facet),
  languages: z.array(Facet),
  templates: z.array(Facet),
  depths: z.array(Facet),
  rules: z.array(Facet),
  orphans: z.int(),
  inSitemap: z.int(),
});
export type PageFacets = z.infer<typeof PageFacets>;

const Detail = z.record(z.string(), z.union([z.string(), z.number()]));
export const CrawlIssue = z.object({
  id: z.int(),
  rule: z.string(),
  severity: z.enum(severities),
  state: z.enum(issueStates),
  urlId: z.int().nullable(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  template: z.string().nullable(),
  detail: Detail,
  impact: z.number(),
  firstRun: z.int(),
  lastRun: z.int(),
  fixedRun: z.int().nullable(),
  ignored: z.object({ by: z.string().nullable(), reason: z.string(), until: DateTime.nullable() }).nullable(),
});
export type CrawlIssue = z.infer<typeof CrawlIssue>;

const PageRef = z.object({ urlId: z.int(), url: z.string(), status: z.int().nullable(), title: z.string().nullable() });
export type PageRef = z.infer<typeof PageRef>;
const PageHistoryEntry = z.object({
  runId: z.string(),
  crawlerId: z.string(),
  crawlerName: z.string(),
  number: z.int(),
  at: DateTime,
  status: z.int(),
  indexReason: z.enum(indexReasons),
  title: z.string().nullable(),
  issues: z.int(),
  /** Against the entry before it. */
  changed: z.array(z.enum(comparedFields)),
});
export const CrawledPageDetail = CrawledPage.extend({
  connectMs: z.int(),
  wireBytes: z.int(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** Whether the body is that of an earlier run, because the server said that it had not changed. */
  reused: z.boolean(),
  redirectTo: PageRef.nullable(),
  canonical: PageRef.nullable(),
  facts: PageFacts,
  found: z.array(CrawlIssue),
  history: z.array(PageHistoryEntry),
  hasBody: z.boolean(),
  /** Visits and page views of people in the last 28 days; null: the address is not the site's, or analytics could not answer. */
  visits: z.object({ visits: z.int(), views: z.int() }).nullable(),
});
export type CrawledPageDetail = z.infer<typeof CrawledPageDetail>;

export const LinkRow = z.object({
  from: PageRef,
  to: PageRef,
  kind: z.enum(linkKinds),
  position: z.enum(linkPositions),
  anchor: z.string(),
  fragment: z.string(),
  nofollow: z.boolean(),
});
export type CrawlLinkRow = z.infer<typeof LinkRow>;

export const IssueGroup = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  /** Of a group by template; null: the site as a whole, or pages without a template. */
  template: z.string().nullable(),
  issues: z.int(),
  pages: z.int(),
  templates: z.int(),
  new: z.int(),
  impact: z.number(),
  /** One page of the group. */
  example: PageRef.nullable(),
});
export type CrawlIssueGroup = z.infer<typeof IssueGroup>;
export const issueFilter = {
  list: z.enum(issueLists).default('found'),
  severity: z.enum(severities).optional(),
  rule: z.string().max(40).optional(),
  template: z.string().max(100).optional(),
  q: safeText(200).optional(),
};
/** Which issues a change is about: by id, those of one group of a run, or those that one change has changed. */
const IssueSelection = z.union([
  z.strictObject({ ids: z.array(z.int().min(1)).min(1).max(inventoryLimits.issues) }),
  z.strictObject({ runId: rowId, rule: z.string().max(40), template: z.string().max(100).nullable().optional() }),
  z.strictObject({ changedAt: DateTime }),
]);
export const IssueChange = z.strictObject({
  /** `undo` takes a change back; it selects by `changedAt`. */
  change: z.enum(['ignore', 'reopen', 'undo']),
  select: IssueSelection,
  reason: safeText(500).default(''),
  until: DateTime.nullable().default(null),
});
export type IssueChange = z.input<typeof IssueChange>;

const GraphNode = z.object({
  /** Empty: templates beyond the largest. */
  template: z.string(),
  pages: z.int(),
  example: PageRef.nullable(),
  depth: z.number(),
  pageRank: z.number(),
});
const RankedPage = PageRef.extend({ pageRank: z.number(), linksIn: z.int() });
export const CrawlGraph = z.object({
  nodes: z.array(GraphNode),
  edges: z.array(z.object({ from: z.string(), to: z.string(), links: z.int() })),
  /** Whether the numbers of links are estimated from a sample. */
  sampled: z.boolean(),
  depths: z.array(z.object({ depth: z.int(), pages: z.int() })),
  top: z.array(RankedPage),
  bottom: z.array(RankedPage),
  orphans: z.int(),
  redirects: z.int(),
  broken: z.int(),
});
export type CrawlGraph = z.infer<typeof CrawlGraph>;

export const CrawlRedirect = z.object({
  from: PageRef,
  /** Every address on the way, the last one included. */
  hops: z.array(PageRef),
  loops: z.boolean(),
  linksIn: z.int(),
});
export type CrawlRedirect = z.infer<typeof CrawlRedirect>;

export const CrawlTemplate = z.object({
  template: z.string(),
  pages: z.int(),
  indexable: z.int(),
  issues: z.int(),
  errors: z.int(),
  example: PageRef.nullable(),
  /** Families of addresses that it has. */
  families: z.array(z.string()),
  medianMs: z.int(),
  medianUnits: z.int(),
  pageRank: z.number(),
});
export type CrawlTemplate = z.infer<typeof CrawlTemplate>;

export const CrawlSitemaps = z.object({
  /** Addresses of sitemaps. */
  listed: z.int(),
  /** Of these, pages that a search index may have. */
  indexable: z.int(),
  /** Others by reason. */
  notIndexable: z.array(z.object({ reason: z.enum(indexReasons), pages: z.int() })),
  /** Addresses of sitemaps that were not requested, by reason; null: the run ended before. */
  skipped: z.array(z.object({ reason: z.enum(skipReasons).nullable(), pages: z.int(), examples: z.array(z.string()) })),
  /** Indexable pages that no sitemap has. */
  missing: z.int(),
  /** Pages that only sitemaps lead to. */
  orphans: z.int(),
});
export type CrawlSitemaps = z.infer<typeof CrawlSitemaps>;

const RuleCount = z.object({ rule: z.string(), severity: z.enum(severities), issues: z.int() });
export const RunComparison = z.object({
  run: CrawledRun,
  other: CrawledRun,
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  /** Changed pages by field. */
  fields: z.array(z.object({ field: z.enum(comparedFields), pages: z.int() })),
  newIssues: z.array(RuleCount),
  fixedIssues: z.array(RuleCount),
});
export type RunComparison = z.infer<typeof RunComparison>;
export const ComparedPage = z.object({
  urlId: z.int(),
  url: z.string(),
  change: z.enum(pageChanges),
  /** Of an added or removed page empty. */
  fields: z.array(z.object({ field: z.enum(comparedFields), before: z.string(), after: z.string() })),
  status: z.int(),
  title: z.string().nullable(),
});
export type ComparedPage = z.infer<typeof ComparedPage>;
export const CompareParams = RunParams.extend({ otherId: rowId });
