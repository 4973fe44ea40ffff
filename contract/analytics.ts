import { z } from 'zod';
import { endpoint } from './endpoint';
import { SiteId } from './sites';

/** Definitions: design §7.1; each has its words in the console's `analytics` messages under `measure.<id>`. */
export const measures = [
  'visitors',
  'visits',
  'views',
  'ips',
  'newVisitors',
  'newRatio',
  'bounceRate',
  'avgDuration',
  'avgPages',
  'avgEngaged',
  'visitorDays',
  /** Of pages: `ReportQuery.with` asks for them. */
  'entries',
  'exits',
  'exitRate',
  'downstream',
  'avgTimeOnPage',
  'avgScroll',
  /** Of custom events and goals: likewise. */
  'events',
  'conversions',
  'conversionRate',
  'conversionValue',
] as const;
export type MeasureId = (typeof measures)[number];

/** Measures that are counted only when asked for; null otherwise. */
export const measureGroups = {
  pages: ['entries', 'exits', 'exitRate', 'downstream', 'avgTimeOnPage', 'avgScroll'],
  goals: ['events', 'conversions', 'conversionRate', 'conversionValue'],
} as const satisfies Readonly<Record<string, readonly MeasureId[]>>;
export const measureGroupIds = ['pages', 'goals'] as const satisfies readonly (keyof typeof measureGroups)[];

/**
 * What rows can be grouped by and filters can speak of. `path`, `title`, `host`, `directory` and `siteSearch` belong to views; `event`
 * and `goal` say what happened in a visit (a visit has several, so their rows overlap); the others belong to visits.
 */
export const dimensions = [
  'sourceType',
  'sourceName',
  'keyword',
  'referrerHost',
  'entryPath',
  'exitPath',
  'path',
  'title',
  'host',
  'country',
  'province',
  'city',
  'deviceType',
  'os',
  'browser',
  'screen',
  'language',
  'newReturning',
  'campaign',
  'keywordFrom',
  /** Host and path of the page that led here. */
  'referrerPath',
  'referrerUrl',
  'utmSource',
  'utmMedium',
  'utmTerm',
  'utmContent',
  'clickId',
  /** Name and version. */
  'osVersion',
  'browserVersion',
  'isp',
  'origin',
  /** Buckets of design §7.2; keys are `1`, `6-10`, `>100`, seconds for times (`10-30`), `first` and `0` for days since the last visit. */
  'pages',
  'distinctPages',
  'duration',
  'engagedTime',
  'ago',
  'visitNumber',
  'siteSearch',
  /** The first part of the path, `/docs/`; `/` for pages that lie in none (also where that part has no name, `//x`). */
  'directory',
  'event',
  'goal',
] as const;
export type DimensionId = (typeof dimensions)[number];

export const sourceTypes = ['direct', 'search', 'external', 'social', 'ai', 'ad', 'email', 'internal'] as const;
export type SourceType = (typeof sourceTypes)[number];
export const deviceTypes = ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] as const;

export const granularities = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];
/** The bucketed dimensions in the order of their axis, which is how their rows come with `byKey`. */
export const bucketKeys = {
  pages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  distinctPages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  duration: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  engagedTime: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  ago: ['first', '0', '1', '2', '3-7', '8-15', '16-30', '31-90', '91-365', '>365'],
  visitNumber: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11-15', '16-50', '51-100', '101-200', '201-300', '>300'],
} as const satisfies Partial<Record<DimensionId, readonly string[]>>;

export const compareModes = ['none', 'previous', 'weekday', 'year', 'custom'] as const;
export type CompareMode = (typeof compareModes)[number];
/** humans: score < 50; suspected: 50–89; bots: ≥ 90. The verdict is made when reading, from stored signals. */
export const populations = ['humans', 'suspected', 'bots', 'all'] as const;
export type Population = (typeof populations)[number];
export const filterOps = ['is', 'not', 'contains', 'excludes'] as const;
export type FilterOp = (typeof filterOps)[number];

const Day = z.iso.date();
/** `dimension:op:value` with several values joined by `|` (one of), `|` and `\` escaped by `\`. */
export const FilterText = z
  .string()
  .max(600)
  .regex(/^[a-zA-Z]+:(is|not|contains|excludes):/);
const many = <T extends z.ZodType>(one: T, max: number) =>
  z
    .union([one, z.array(one).max(max)])
    .optional()
    .transform((v): z.output<T>[] => (v === undefined ? [] : Array.isArray(v) ? v : [v as z.output<T>]));

export const ReportQuery = z.object({
  /** First and last day, both included, in the site's time zone. */
  from: Day,
  to: Day,
  /** `minute`: today alone, and the series is that of the six hours up to now; totals and rows are of the whole day. */
  gran: z.enum(granularities).optional(),
  compare: z.enum(compareModes).default('none'),
  compareFrom: Day.optional(),
  compareTo: Day.optional(),
  filter: many(FilterText, 20),
  who: z.enum(populations).default('humans'),
  /** Saved segments; all of their filters hold as well. */
  segment: many(z.uuid(), 5),
  /** Groups of measures to count besides the usual ones. */
  with: many(z.enum(measureGroupIds), measureGroupIds.length),
  /** The one goal that conversions are of; absent: any. */
  goal: z.uuid().optional(),
  /** Rows are grouped by it; absent: totals and series only. */
  by: z.enum(dimensions).optional(),
  /** Also give the time series. */
  series: z.enum(['0', '1']).default('0'),
  sort: z.enum(measures).default('visitors'),
  /** Rows in the order of their keys (`dir`), buckets in that of their axis; `sort` then only says which measure has a share. */
  byKey: z.enum(['0', '1']).default('0'),
  dir: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).max(1000).default(1),
  size: z.coerce.number().int().min(1).max(500).default(20),
});
export type ReportQuery = z.input<typeof ReportQuery>;

/** null: cannot be said (for example a ratio of nothing). Ratios are 0…1, times are seconds. */
const Values = z.record(z.enum(measures), z.number().nullable());
export type Values = Record<MeasureId, number | null>;

export const Bucket = z.object({
  /** Wall clock of the site's zone at the beginning, `2026-11-20T08:00`. */
  label: z.string(),
  /** The same instant, epoch ms. */
  start: z.number(),
  end: z.number(),
  /** The bucket is not over yet. */
  open: z.boolean(),
  values: Values,
});
export type Bucket = z.infer<typeof Bucket>;

export const Row = z.object({
  /** Raw value; '' is unknown. */
  key: z.string(),
  values: Values,
  /** The same measures in the comparison period; null when there is none. */
  compare: Values.nullable(),
  /** Share of the total of the sorted measure, 0…1; null for ratios. */
  share: z.number().nullable(),
});
export type Row = z.infer<typeof Row>;

/** Where a figure comes from: shown by "explain this number". */
export const Explain = z.object({
  source: z.enum(['visits', 'rollup']),
  exact: z.boolean(),
  /** Relative standard error where a sketch was used. */
  error: z.number().nullable(),
  /** The newest hit counted, epoch ms; null when there is none. */
  freshTo: z.number().nullable(),
  /** When the answer was computed, epoch ms. */
  at: z.number(),
  /** Visits in the range that the population leaves out. */
  excluded: z.object({ suspected: z.int(), bots: z.int() }),
  tookMs: z.number(),
});
export type Explain = z.infer<typeof Explain>;

export const Report = z.object({
  from: Day,
  to: Day,
  timeZone: z.string(),
  gran: z.enum(granularities),
  compareFrom: Day.nullable(),
  compareTo: Day.nullable(),
  /**
   * The range is not over yet: `compareTotals` and `Row.compare` count the comparison period only up to this instant
   * (epoch ms), the same time of day as now, so that half a day is never held against a whole one. `compareSeries` is whole.
   * null: the comparison period is counted whole, or there is none.
   */
  compareUntil: z.number().nullable(),
  totals: Values,
  compareTotals: Values.nullable(),
  series: z.array(Bucket).nullable(),
  compareSeries: z.array(Bucket).nullable(),
  rows: z.array(Row).nullable(),
  /** Number of distinct keys, before paging. */
  rowCount: z.int().nullable(),
  explain: Explain,
});
export type Report = z.infer<typeof Report>;

export const BotVerdict = z.enum(['human', 'suspected', 'bot']);
export const VisitPage = z.object({
  pageId: z.string(),
  at: z.number(),
  path: z.string(),
  title: z.string(),
  engagedMs: z.number(),
  scroll: z.int(),
  events: z.int(),
});
export const VisitRow = z.object({
  visitId: z.string(),
  /** Short public form of the visitor's id. */
  visitor: z.string(),
  start: z.number(),
  last: z.number(),
  online: z.boolean(),
  isNew: z.boolean(),
  visitNo: z.int(),
  country: z.string(),
  province: z.string(),
  city: z.string(),
  isp: z.string(),
  /** Last part masked: 203.0.113.x */
  address: z.string(),
  sourceType: z.enum(sourceTypes),
  sourceName: z.string(),
  keyword: z.string(),
  referrer: z.string(),
  deviceType: z.enum(deviceTypes),
  os: z.string(),
  browser: z.string(),
  screen: z.string(),
  language: z.string(),
  entryPath: z.string(),
  exitPath: z.string(),
  views: z.int(),
  events: z.int(),
  durationMs: z.number(),
  engagedMs: z.number(),
  verdict: BotVerdict,
  botReasons: z.array(z.string()),
  pages: z.array(VisitPage),
});
export type VisitRow = z.infer<typeof VisitRow>;

export const PageEvents = z.object({
  visit: VisitRow,
  pageId: z.string(),
  previous: z.string().nullable(),
  next: z.string().nullable(),
  events: z.array(
    z.object({
      seq: z.int(),
      at: z.number(),
      kind: z.enum(['view', 'event', 'engage']),
      name: z.string(),
      url: z.string(),
      title: z.string(),
      engagedMs: z.number(),
      scroll: z.int(),
      props: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type PageEvents = z.infer<typeof PageEvents>;

export const LatestQuery = ReportQuery.pick({ filter: true, who: true, segment: true }).extend({
  cursor: z.string().max(60).optional(),
  size: z.coerce.number().int().min(1).max(100).default(30),
});
/** Whom "online now" counts: the same choice as the list of visits below it. */
export const OnlineQuery = LatestQuery.pick({ filter: true, who: true, segment: true });
export const Online = z.object({ online: z.int(), perMinute: z.array(z.object({ at: z.number(), views: z.int(), visitors: z.int() })) });
export type Online = z.infer<typeof Online>;

export const installFindings = [
  'tag_found',
  'tag_missing',
  'tag_twice',
  'wrong_site_id',
  'not_reachable',
  'bad_status',
  'not_html',
  'csp_blocks_script',
  'csp_blocks_connect',
  'address_refused',
  'no_url',
  'redirects_elsewhere',
  'hits_refused',
  'mixed_content',
  'script_not_loaded',
  'script_loaded_no_hit',
] as const;
export const Install = z.object({
  /** The element to paste before </head>. */
  tag: z.string(),
  firstHitAt: z.number().nullable(),
  lastHitAt: z.number().nullable(),
  /** How often /t.js was fetched for this site since the program started (by Referer), and when last. */
  scriptLoads: z.int(),
  refusals: z.array(z.object({ code: z.string(), count: z.int(), lastAt: z.number(), host: z.string() })),
  hosts: z.array(z.object({ host: z.string(), lastAt: z.number() })),
});
export type Install = z.infer<typeof Install>;
export const InstallCheck = z.object({
  url: z.string().nullable(),
  at: z.number(),
  findings: z.array(z.object({ code: z.enum(installFindings), level: z.enum(['good', 'warning', 'bad']), detail: z.string() })),
});
export type InstallCheck = z.infer<typeof InstallCheck>;

const Params = z.object({ siteId: SiteId });
/** What a question is about, without how its answer is laid out. */
const Scoped = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true });
const Compared = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true, compare: true, compareFrom: true, compareTo: true });

/** `under`: a directory, beginning and ending with `/`. */
export const TreeQuery = Scoped.extend({
  under: z
    .string()
    .max(2000)
    .regex(/^\/(.*\/)?$/s)
    .default('/'),
  host: z.string().max(255).optional(),
});
export type TreeQuery = z.input<typeof TreeQuery>;
export const Tree = z.object({
  under: z.string(),
  /** The 500 with most page views. `views`: of everything below; `visitors`, `visits`: who saw anything below. A page that is also a directory stands twice. */
  nodes: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['directory', 'page']),
      pages: z.int(),
      views: z.int(),
      visitors: z.int(),
      visits: z.int(),
      avgTimeOnPage: z.number().nullable(),
    }),
  ),
  views: z.int(),
  more: z.boolean(),
});
export type Tree = z.infer<typeof Tree>;

export const FlowQuery = Scoped.extend({ path: z.string().min(1).max(2000) });
export type FlowQuery = z.input<typeof FlowQuery>;
const FlowEnd = z.object({ path: z.string(), views: z.int(), share: z.number() });
/**
 * Views of one page by what came before and after them in the same visit. Shares are of `views`. `views` = `entries` + `again` + upstream =
 * `exits` + `againNext` + downstream, where the lists hold the 50 pages and sources with most.
 */
export const Flow = z.object({
  path: z.string(),
  views: z.int(),
  /** Views that began their visit, by source (`sourceType`, `sourceName`), and by the page before. */
  entries: z.int(),
  sources: z.array(z.object({ sourceType: z.enum(sourceTypes), sourceName: z.string(), views: z.int(), share: z.number() })),
  upstream: z.array(FlowEnd),
  /** Views that came right after one of the same page (a reload, for one). */
  again: z.int(),
  exits: z.int(),
  downstream: z.array(FlowEnd),
  /** Views after which the same page came again. */
  againNext: z.int(),
});
export type Flow = z.infer<typeof Flow>;

export const DistributionQuery = Scoped.extend({ of: z.enum(['visits', 'views']) });
export type DistributionQuery = z.input<typeof DistributionQuery>;
/**
 * Recomputed for the range, never added up from days. Keys: those of `visitNumber` for visits, of `pages` for views, all of them in order. Every visitor
 * of the range is in one: who had nothing to count (a visit that had begun before, or without a page view) is in the first.
 */
export const Distribution = z.object({
  of: z.enum(['visits', 'views']),
  visitors: z.int(),
  buckets: z.array(z.object({ key: z.string(), visitors: z.int(), visits: z.int(), views: z.int(), share: z.number().nullable() })),
});
export type Distribution = z.infer<typeof Distribution>;

export const KnownShares = z.object({
  /** Visits from search engines, and those whose search term is known. */
  search: z.int(),
  keyword: z.int(),
  /** Visits from other sites, and those whose referring page (not only the site) is known. */
  referred: z.int(),
  referrerPath: z.int(),
});
export type KnownShares = z.infer<typeof KnownShares>;

export const MoversQuery = Compared.extend({ by: z.enum(dimensions), measure: z.enum(['visits', 'visitors', 'views']).default('visits') });
export type MoversQuery = z.input<typeof MoversQuery>;
const Mover = z.object({ key: z.string(), now: z.int(), before: z.int() });
/** At most ten each; `fresh` had nothing before. Nothing at all without a comparison period, or where nothing at all happened in it. */
export const Movers = z.object({ fresh: z.array(Mover), rising: z.array(Mover), falling: z.array(Mover) });
export type Movers = z.infer<typeof Movers>;

export const OutlookQuery = ReportQuery.pick({ filter: true, who: true, segment: true }).extend({
  measure: z.enum(['visitors', 'visits', 'views']).default('views'),
});
export type OutlookQuery = z.input<typeof OutlookQuery>;
/**
 * `forecast`: today so far × (whole day / day up to this time) of the same weekday in the last four weeks, as the range of those four; `middle` takes
 * them together. null with fewer than two such days that had anything by this time, and while today has nothing. `best`: the day with most, today
 * excluded, the latest of several, within three years; null where there was nothing.
 */
export const Outlook = z.object({
  soFar: z.int(),
  forecast: z.object({ low: z.int(), middle: z.int(), high: z.int(), days: z.int() }).nullable(),
  best: z.object({ day: Day, value: z.int() }).nullable(),
});
export type Outlook = z.infer<typeof Outlook>;

const format = z.enum(['csv', 'json']).default('csv');
/** What the table shows, so that the file is the same: the rows of that page with these columns. JSON adds the question and where the figures come from. */
export const ExportQuery = ReportQuery.extend({
  format,
  /** The columns, in order; none: every measure that `with` does not leave out, the sorted one first. Their groups need not be asked for. */
  measure: many(z.enum(measures), measures.length),
  /** Order of the buckets of a series, `time.asc` or `views.desc`, the first decides; none: by time, in the direction of `dir`. */
  order: many(z.templateLiteral([z.enum(['time', ...measures]), '.', z.enum(['asc', 'desc'])]), 4),
});
export type ExportQuery = z.input<typeof ExportQuery>;
/** Most visits that one file holds. */
export const mostExportedVisits = 10_000;
const fileOf = <Q extends z.ZodType>(id: string, part: string, query: Q, summary: string) =>
  endpoint({
    id,
    method: 'GET',
    path: `/api/site/:siteId/als/${part}/export`,
    access: { site: 'analytics.export' },
    token: 'analytics:read',
    summary,
    params: Params,
    query,
    kind: 'file',
    errors: ['range_not_allowed', 'analytics_unavailable'],
  });
export const analyticsEndpoints = {
  report: endpoint({
    id: 'report',
    method: 'GET',
    path: '/api/site/:siteId/als/report',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Totals, time series and rows by one dimension',
    params: Params,
    query: ReportQuery,
    answer: Report,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  exportReport: endpoint({
    id: 'exportReport',
    method: 'GET',
    path: '/api/site/:siteId/als/export',
    access: { site: 'analytics.export' },
    token: 'analytics:read',
    summary: 'The same as a file, totals first: rows when `by` is given, otherwise the series, newest first',
    params: Params,
    query: ExportQuery,
    kind: 'file',
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  exportTree: fileOf('exportTree', 'tree', TreeQuery.extend({ format }), 'The directories and pages right below one as a file'),
  exportFlow: fileOf('exportFlow', 'flow', FlowQuery.extend({ format }), 'What came before and after views of one page as a file'),
  exportDistribution: fileOf('exportDistribution', 'distribution', DistributionQuery.extend({ format }), 'Visitors by bucket as a file'),
  exportMovers: fileOf('exportMovers', 'movers', MoversQuery.extend({ format }), 'What is new, rose or fell as a file'),
  exportLatest: fileOf(
    'exportLatest',
    'latest',
    LatestQuery.pick({ filter: true, who: true, segment: true }).extend({ format }),
    'Visits as a file, newest activity first, 10 000 at most',
  ),
  latest: endpoint({
    id: 'latest',
    method: 'GET',
    path: '/api/site/:siteId/als/latest',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Visits, newest activity first',
    params: Params,
    query: LatestQuery,
    answer: z.object({ rows: z.array(VisitRow), next: z.string().nullable() }),
    errors: ['analytics_unavailable'],
  }),
  online: endpoint({
    id: 'online',
    method: 'GET',
    path: '/api/site/:siteId/als/online',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Visitors of the last five minutes; views and visitors by minute for thirty',
    params: Params,
    query: OnlineQuery,
    answer: Online,
    errors: ['analytics_unavailable'],
  }),
  pageEvents: endpoint({
    id: 'pageEvents',
    method: 'GET',
    path: '/api/site/:siteId/als/events/:pageId',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Everything that happened on one page view',
    params: Params.extend({ pageId: z.string().regex(/^[0-9a-f]{16}$/) }),
    answer: PageEvents,
    errors: ['not_found', 'analytics_unavailable'],
  }),
  values: endpoint({
    id: 'values',
    method: 'GET',
    path: '/api/site/:siteId/als/values',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Known values of a dimension, for the filter field',
    params: Params,
    query: z.object({ by: z.enum(dimensions), q: z.string().max(100).default(''), from: Day, to: Day }),
    answer: z.array(z.string()),
    errors: ['analytics_unavailable'],
  }),
  tree: endpoint({
    id: 'tree',
    method: 'GET',
    path: '/api/site/:siteId/als/tree',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Page views by directory: the folders and pages right below one',
    params: Params,
    query: TreeQuery,
    answer: Tree,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  flow: endpoint({
    id: 'flow',
    method: 'GET',
    path: '/api/site/:siteId/als/flow',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Where visitors of one page came from and went to, within their visits',
    params: Params,
    query: FlowQuery,
    answer: Flow,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  distribution: endpoint({
    id: 'distribution',
    method: 'GET',
    path: '/api/site/:siteId/als/distribution',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'How many visits, or page views, each visitor had in the range: visitors by bucket',
    params: Params,
    query: DistributionQuery,
    answer: Distribution,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  coverage: endpoint({
    id: 'coverage',
    method: 'GET',
    path: '/api/site/:siteId/als/coverage',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'For which part of the visits search terms and referring pages are known at all',
    params: Params,
    query: Scoped,
    answer: KnownShares,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  movers: endpoint({
    id: 'movers',
    method: 'GET',
    path: '/api/site/:siteId/als/movers',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Rows that are new, rose or fell most against the comparison period',
    params: Params,
    query: MoversQuery,
    answer: Movers,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  outlook: endpoint({
    id: 'outlook',
    method: 'GET',
    path: '/api/site/:siteId/als/outlook',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    shared: true,
    summary: 'Today so far, what the day will come to, and the best day so far',
    params: Params,
    query: OutlookQuery,
    answer: Outlook,
    errors: ['analytics_unavailable'],
  }),
  install: endpoint({
    id: 'install',
    method: 'GET',
    path: '/api/site/:siteId/als/install',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'The tag and what has arrived so far',
    params: Params,
    answer: Install,
    errors: ['analytics_unavailable'],
  }),
  installCheck: endpoint({
    id: 'installCheck',
    method: 'POST',
    path: '/api/site/:siteId/als/install/check',
    access: { site: 'analytics.read' },
    summary: 'Fetch the site’s page and say what is wrong with the tag',
    params: Params,
    body: z.strictObject({ url: z.string().max(2000).optional() }),
    answer: InstallCheck,
    ratePerMinute: 20,
  }),
} as const;
