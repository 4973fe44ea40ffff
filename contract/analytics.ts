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
] as const;
export type MeasureId = (typeof measures)[number];

/** What rows can be grouped by and filters can speak of. `path`, `title` and `host` belong to views, the others to visits. */
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
] as const;
export type DimensionId = (typeof dimensions)[number];

export const sourceTypes = ['direct', 'search', 'external', 'social', 'ai', 'ad', 'email', 'internal'] as const;
export type SourceType = (typeof sourceTypes)[number];
export const deviceTypes = ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] as const;

export const granularities = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];
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
  gran: z.enum(granularities).optional(),
  compare: z.enum(compareModes).default('none'),
  compareFrom: Day.optional(),
  compareTo: Day.optional(),
  filter: many(FilterText, 20),
  who: z.enum(populations).default('humans'),
  /** Rows are grouped by it; absent: totals and series only. */
  by: z.enum(dimensions).optional(),
  /** Also give the time series. */
  series: z.enum(['0', '1']).default('0'),
  sort: z.enum(measures).default('visitors'),
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

export const LatestQuery = z.object({
  filter: many(FilterText, 20),
  who: z.enum(populations).default('humans'),
  cursor: z.string().max(60).optional(),
  size: z.coerce.number().int().min(1).max(100).default(30),
});
/** Whom "online now" counts: the same choice as the list of visits below it. */
export const OnlineQuery = LatestQuery.pick({ filter: true, who: true });
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
/** What the table shows, so that the file is the same: JSON is the whole report whatever is shown. */
export const ExportQuery = ReportQuery.extend({
  format: z.enum(['csv', 'json']).default('csv'),
  /** The columns, in order; none: every measure, the sorted one first. */
  measure: many(z.enum(measures), measures.length),
  /** Order of the buckets of a series, `time.asc` or `views.desc`, the first decides; none: by time, in the direction of `dir`. */
  order: many(z.templateLiteral([z.enum(['time', ...measures]), '.', z.enum(['asc', 'desc'])]), 4),
});
export type ExportQuery = z.input<typeof ExportQuery>;
export const analyticsEndpoints = {
  report: endpoint({
    id: 'report',
    method: 'GET',
    path: '/api/site/:siteId/als/report',
    access: { site: 'analytics.read' },
    token: 'analytics:read',
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
    summary: 'Known values of a dimension, for the filter field',
    params: Params,
    query: z.object({ by: z.enum(dimensions), q: z.string().max(100).default(''), from: Day, to: Day }),
    answer: z.array(z.string()),
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
