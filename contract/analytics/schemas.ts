import { z } from 'zod';
import {
  Distribution,
  DistributionQuery,
  Flow,
  FlowQuery,
  KnownShares,
  Movers,
  MoversQuery,
  Outlook,
  OutlookQuery,
  Scoped,
  Tree,
  TreeQuery,
} from './breakdowns';
import { Day, Report, ReportQuery, Reports, ReportsQuery, many } from './report';
import { dimensions, measures } from './terms';
import { Install, InstallCheck, LatestQuery, Online, OnlineQuery, PageEvents, VisitRow } from './visits';
import { analyticsCalls } from './calls';
import type { Call } from '../call';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';

export * from './breakdowns';
export * from './report';
export * from './terms';
export * from './visits';

const Params = z.object({ siteId: SiteId });
const format = z.enum(['csv', 'json']).default('csv');
/**
 * The query of the table on screen, so that the file matches it: the rows of that page with these columns. JSON also includes the query and the provenance of
 * the figures.
 */
export const ExportQuery = ReportQuery.extend({
  format,
  /** Columns in order; empty: every measure that `with` does not exclude, the sorted one first. Their groups are computed without being listed in `with`. */
  measure: many(z.enum(measures), measures.length),
  /** Sort order of the buckets of a series, such as `time.asc` or `views.desc`; the first entry has priority. Empty: by time, in the direction of `dir`. */
  order: many(z.templateLiteral([z.enum(['time', ...measures]), '.', z.enum(['asc', 'desc'])]), 4),
});
export type ExportQuery = z.input<typeof ExportQuery>;
/** Maximum number of visits in one file. */
export const mostExportedVisits = 10_000;
const fileOf = <Q extends z.ZodType>(call: Call, query: Q, summary: string) =>
  endpoint(call, {
    access: { site: 'analytics.export' },
    token: 'analytics:read',
    summary,
    params: Params,
    query,
    kind: 'file',
    errors: ['range_not_allowed', 'analytics_unavailable'],
  });
export const analyticsEndpoints = {
  report: endpoint(analyticsCalls.report, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Totals, time series and rows by one dimension',
    params: Params,
    query: ReportQuery,
    response: Report,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  reports: endpoint(analyticsCalls.reports, {
    access: { site: 'analytics.read' },
    // With twelve reports each, about twice the reports that single calls may request.
    ratePerMinute: 120,
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Several reports of one screen',
    params: Params,
    query: ReportsQuery,
    response: Reports,
    errors: [],
  }),
  exportReport: endpoint(analyticsCalls.exportReport, {
    access: { site: 'analytics.export' },
    token: 'analytics:read',
    summary: 'The same as a file, totals first: rows when `by` is given, otherwise the series, newest first',
    params: Params,
    query: ExportQuery,
    kind: 'file',
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  exportTree: fileOf(analyticsCalls.exportTree, TreeQuery.extend({ format }), 'The directories and pages right below one as a file'),
  exportFlow: fileOf(analyticsCalls.exportFlow, FlowQuery.extend({ format }), 'What came before and after views of one page as a file'),
  exportDistribution: fileOf(analyticsCalls.exportDistribution, DistributionQuery.extend({ format }), 'Visitors by bucket as a file'),
  exportMovers: fileOf(analyticsCalls.exportMovers, MoversQuery.extend({ format }), 'What is new, rose or fell as a file'),
  exportLatest: fileOf(
    analyticsCalls.exportLatest,
    LatestQuery.omit({ cursor: true, size: true }).extend({ format }),
    'Visits as a file, newest activity first, 10 000 at most',
  ),
  latest: endpoint(analyticsCalls.latest, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Visits, newest activity first',
    params: Params,
    query: LatestQuery,
    response: z.object({ rows: z.array(VisitRow), next: z.string().nullable() }),
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  online: endpoint(analyticsCalls.online, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Visitors of the last five minutes; views and visitors by minute for thirty',
    params: Params,
    query: OnlineQuery,
    response: Online,
    errors: ['analytics_unavailable'],
  }),
  pageEvents: endpoint(analyticsCalls.pageEvents, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Everything that happened on one page view',
    params: Params.extend({ pageId: z.string().regex(/^[0-9a-f]{16}$/) }),
    response: PageEvents,
    errors: ['not_found', 'analytics_unavailable'],
  }),
  values: endpoint(analyticsCalls.values, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Known values of a dimension, for the filter field',
    params: Params,
    query: z.object({ by: z.enum(dimensions), q: z.string().max(100).default(''), from: Day, to: Day }),
    response: z.array(z.string()),
    errors: ['analytics_unavailable'],
  }),
  tree: endpoint(analyticsCalls.tree, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Page views by directory: the folders and pages right below one',
    params: Params,
    query: TreeQuery,
    response: Tree,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  flow: endpoint(analyticsCalls.flow, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Where visitors of one page came from and went to, within their visits',
    params: Params,
    query: FlowQuery,
    response: Flow,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  distribution: endpoint(analyticsCalls.distribution, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'How many visits, or page views, each visitor had in the range: visitors by bucket',
    params: Params,
    query: DistributionQuery,
    response: Distribution,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  coverage: endpoint(analyticsCalls.coverage, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'For which part of the visits search terms and referring pages are known at all',
    params: Params,
    query: Scoped,
    response: KnownShares,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  movers: endpoint(analyticsCalls.movers, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Rows that are new, rose or fell most against the comparison period',
    params: Params,
    query: MoversQuery,
    response: Movers,
    errors: ['range_not_allowed', 'analytics_unavailable'],
  }),
  outlook: endpoint(analyticsCalls.outlook, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    publicLinks: true,
    summary: 'Today so far, what the day will come to, and the best day so far',
    params: Params,
    query: OutlookQuery,
    response: Outlook,
    errors: ['analytics_unavailable'],
  }),
  install: endpoint(analyticsCalls.install, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'The tag and what has arrived so far',
    params: Params,
    response: Install,
    errors: ['analytics_unavailable'],
  }),
  installCheck: endpoint(analyticsCalls.installCheck, {
    access: { site: 'analytics.read' },
    summary: 'Fetch the site’s page and say what is wrong with the tag',
    params: Params,
    body: z.strictObject({ url: z.string().max(2000).optional() }),
    response: InstallCheck,
    ratePerMinute: 20,
  }),
} as const;
