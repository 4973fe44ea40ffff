/** Measures of a report; defined in `server/areas/analytics/measures.ts`. Labels are in the console's `analytics` messages under `measure.<id>`. */
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
  /** Page measures, computed only when `ReportQuery.with` requests them. */
  'entries',
  'exits',
  'exitRate',
  'downstream',
  'avgTimeOnPage',
  'avgScroll',
  /** Measures of custom events and goals, likewise computed on request. */
  'events',
  'conversions',
  'conversionRate',
  'conversionValue',
] as const;
export type MeasureId = (typeof measures)[number];

/** Measures that are computed only on request; null otherwise. */
export const measureGroups = {
  pages: ['entries', 'exits', 'exitRate', 'downstream', 'avgTimeOnPage', 'avgScroll'],
  goals: ['events', 'conversions', 'conversionRate', 'conversionValue'],
} as const satisfies Readonly<Record<string, readonly MeasureId[]>>;
export const measureGroupIds = ['pages', 'goals'] as const satisfies readonly (keyof typeof measureGroups)[];

/**
 * Dimensions for grouping and filtering. `path`, `title`, `host`, `directory` and `siteSearch` belong to page views; `event` and `goal` describe what happened
 * in a visit (a visit may have several, so their rows overlap); the others belong to visits.
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
  /** Host and path of the referring page. */
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
  /** Buckets; keys are `1`, `6-10`, `>100`, seconds for times (`10-30`), `first` and `0` for days since the last visit. */
  'pages',
  'distinctPages',
  'duration',
  'engagedTime',
  'ago',
  'visitNumber',
  'siteSearch',
  /** The first path segment, `/docs/`; `/` for pages outside any directory (also where the first segment is empty, `//x`). */
  'directory',
  'event',
  'goal',
] as const;
export type DimensionId = (typeof dimensions)[number];
/** Dimensions whose values are paths or URLs, in the form of paths.ts. */
export const pathDimensions: ReadonlySet<DimensionId> = new Set(['path', 'entryPath', 'exitPath', 'directory', 'referrerPath', 'referrerUrl']);

export const sourceTypes = ['direct', 'search', 'external', 'social', 'ai', 'ad', 'email', 'internal'] as const;
export type SourceType = (typeof sourceTypes)[number];
export const deviceTypes = ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] as const;

export const granularities = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];
/** Keys of the bucketed dimensions in the order of their axis, which is the order of rows with `byKey`. */
export const bucketKeys = {
  pages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  distinctPages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  duration: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  engagedTime: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  ago: ['first', '0', '1', '2', '3-7', '8-15', '16-30', '31-90', '91-365', '>365'],
  visitNumber: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11-15', '16-50', '51-100', '101-200', '201-300', '>300'],
} as const satisfies Partial<Record<DimensionId, readonly string[]>>;

/** What each of them means: contract/analytics/comparison.ts. */
export const compareModes = ['none', 'previous', 'calendar', 'weekday', 'year', 'custom'] as const;
export type CompareMode = (typeof compareModes)[number];
/** Bot scores (0–100) from which a visit is suspected, and from which it is a bot; below are people. */
export const verdictBounds = { suspected: 50, bot: 90 } as const;
/** Classes by `verdictBounds`. They are computed on reading, so that a changed rule also applies to past visits. */
export const populations = ['humans', 'suspected', 'bots', 'all'] as const;
export type Population = (typeof populations)[number];
export const filterOps = ['is', 'not', 'contains', 'excludes'] as const;
export type FilterOp = (typeof filterOps)[number];

/** Maximum number of reports in one call. */
export const mostReports = 12;
