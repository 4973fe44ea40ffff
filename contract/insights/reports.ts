import { z } from 'zod';
import { ReportQuery } from '../analytics/schemas';
import { insightReportCalls } from './calls';
import { endpoint } from '../endpoint';
import { normalizePath } from '../paths';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';

/** Selection of a report: range, filters, population and segments, as in every report. */
const Scoped = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true });
const paging = { page: z.coerce.number().int().min(1).max(1000).default(1), size: z.coerce.number().int().min(1).max(500).default(20) };

/**
 * Events within the range by their own time, of visits that the filters select; with page filters, only events on page views that match them. `own`: the site's
 * events, whose names do not begin with `$`.
 */
export const EventsQuery = Scoped.extend(paging);
export type EventsQuery = z.input<typeof EventsQuery>;
const EventRow = z.object({ name: z.string(), count: z.int(), visits: z.int(), visitors: z.int(), /** Epoch ms. */ lastAt: z.number() });
export type EventRow = z.infer<typeof EventRow>;
export const EventsReport = z.object({
  totals: EventRow.omit({ name: true, lastAt: true }).extend({ lastAt: z.number().nullable() }),
  /** Most frequent first, then by name. */
  rows: z.array(EventRow),
  rowCount: z.int(),
  /** Followed links to other sites, and downloaded files. */
  outbound: z.int(),
  downloads: z.int(),
});
export type EventsReport = z.infer<typeof EventsReport>;

export const EventDetailQuery = Scoped.extend({ name: z.string().min(1).max(200) });
export type EventDetailQuery = z.input<typeof EventDetailQuery>;
/** A property's value as text: strings unchanged, other JSON serialized. `visits`, `visitors`: those with such an event. */
const ValueRow = z.object({ value: z.string(), count: z.int(), visits: z.int(), visitors: z.int(), /** Share of the event's count. */ share: z.number() });
export const EventDetail = z.object({
  name: z.string(),
  count: z.int(),
  visits: z.int(),
  visitors: z.int(),
  lastAt: z.number().nullable(),
  /** The 30 most frequent properties; equal ones by name. */
  properties: z.array(
    z.object({
      name: z.string(),
      /** Events that have the property. */
      count: z.int(),
      /** Number of distinct values; `values` contains the 50 most frequent. */
      distinct: z.int(),
      values: z.array(ValueRow),
      /** Statistics of its numeric values (see `Condition`); null when there are none. */
      numbers: z.object({ count: z.int(), sum: z.number(), mean: z.number(), min: z.number(), max: z.number() }).nullable(),
    }),
  ),
});
export type EventDetail = z.infer<typeof EventDetail>;

/** Site searches: page views with a search term, within the range. */
export const SearchesQuery = Scoped.extend({ ...paging, /** Also return the pages that followed this term. */ term: z.string().min(1).max(500).optional() });
export type SearchesQuery = z.input<typeof SearchesQuery>;
export const SearchesReport = z.object({
  searches: z.int(),
  visits: z.int(),
  visitors: z.int(),
  rows: z.array(
    z.object({
      term: z.string(),
      searches: z.int(),
      visits: z.int(),
      visitors: z.int(),
      /** What followed in the visit: another page, another search (also for the same term), nothing. The three sum to `searches`. */
      followed: z.int(),
      again: z.int(),
      left: z.int(),
    }),
  ),
  rowCount: z.int(),
  /** The ten most frequent pages opened directly after `term`; null without a term. */
  next: z.array(z.object({ path: z.string(), views: z.int() })).nullable(),
});
export type SearchesReport = z.infer<typeof SearchesReport>;

/** Scroll depth of pages: page views by their deepest scroll. */
export const ScrollQuery = Scoped.extend(paging);
export type ScrollQuery = z.input<typeof ScrollQuery>;
export const scrollMarks = [25, 50, 75, 90, 100] as const;
const Depth = {
  views: z.int(),
  /** Mean deepest scroll, 0…1. */ average: z.number().nullable(),
  /** Views that reached at least each of `scrollMarks` percent. */ reached: z.array(z.int()),
};
export const ScrollReport = z.object({ totals: z.object(Depth), rows: z.array(z.object({ path: z.string(), ...Depth })), rowCount: z.int() });
export type ScrollReport = z.infer<typeof ScrollReport>;

/**
 * The result of a funnel, defined exactly.
 *
 * Hits are the page views (at `view.at`) and the events (at `event.at`) of the visits of the population. The hits of one visitor (scope `visitor`), or of one
 * visit (scope `visit`), are ordered by time in ms; at equal times page views precede events, then both keep the order of their visit. A chain to step k is k
 * hits h1…hk, each after the previous one in that order (so no hit serves two steps, and other hits may lie between), where hi meets step i, h1 lies in the
 * range, the visit of h1 is selected by the filters and segments (with page filters: it has a page view that matches them), and hk is at most `within` minutes
 * (inclusive) after h1. Hits after h1 may lie after the range, and in visits that the filters do not select. A visitor has reached step k when there is a chain
 * to it; `visitors` counts each such visitor once. `rate` is relative to step 1, `stepRate` to the previous step.
 *
 * `medianSeconds` of step k: for each visitor who reached it, the time from p to q, where q is the first hit that ends a chain to k, and p is the last hit
 * before q that ends a chain to k−1 with the latest beginning; over visitors, the usual median (the mean of the middle two). In scope `visit` a visitor's time
 * is that of the first visit (by its beginning) that reached k. This is the one-pass rule of ClickHouse's windowFunnel (each step keeps the latest possible
 * beginning of a chain), with a defined order of ties.
 */
export const FunnelResult = z.object({
  steps: z.array(
    z.object({
      visitors: z.int(),
      rate: z.number().nullable(),
      stepRate: z.number().nullable(),
      /** Visitors who reached the step before but not this one; 0 for the first. */
      dropped: z.int(),
      medianSeconds: z.number().nullable(),
    }),
  ),
});
export type FunnelResult = z.infer<typeof FunnelResult>;
export const FunnelQuery = Scoped;

/**
 * Retention. A cohort is the visitors whose first visit ever (`visit_no` 1, not the first of the range) begins in a period and is selected by the filters,
 * segments and population. Periods are whole calendar days, weeks (from Monday) or months of the site's zone: all that have a day in the range. `returned[n -
 * 1]`: those of the cohort who began another visit of the population in the nth period after; null when that period has not begun. Retention is unknown where
 * visitors have no lasting id.
 */
export const RetentionQuery = Scoped.extend({ unit: z.enum(['day', 'week', 'month']).default('week') });
export type RetentionQuery = z.input<typeof RetentionQuery>;
/** Number of later periods. */
export const retentionPeriods = { day: 14, week: 12, month: 12 } as const;
/** Maximum number of cohorts in a response. */
export const mostCohorts = 62;
export const Retention = z.object({
  /** false: the site is cookieless, so every day has new visitors only. */
  known: z.boolean(),
  unit: z.enum(['day', 'week', 'month']),
  periods: z.int(),
  cohorts: z.array(
    z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      visitors: z.int(),
      returned: z.array(z.int().nullable()),
      /** Number of ended periods in `returned`. */ closed: z.int(),
    }),
  ),
});
export type Retention = z.infer<typeof Retention>;

/** Maximum number of steps of a journey. */
export const longestWalk = 5;
/**
 * A journey over the pages of visits that begin in the range: forward from their entry (`entry`), or backward from their exit (`exit`). The pages of a visit
 * are its page views in order, without direct repetitions of a path. `step` is the list of paths so far; for each prefix of it the response contains the pages
 * that came next (before).
 */
export const JourneyQuery = Scoped.extend({
  end: z.enum(['entry', 'exit']).default('entry'),
  step: z
    .union([z.string().max(2000), z.array(z.string().max(2000)).max(longestWalk - 1)])
    .optional()
    .transform((v): string[] => (v === undefined ? [] : Array.isArray(v) ? v : [v]).map(normalizePath)),
});
export type JourneyQuery = z.input<typeof JourneyQuery>;
export const Journey = z.object({
  /**
   * One column per prefix of `step`, the empty one first: visits with that prefix, visits that ended there, and the pages that came next, most frequent first.
   */
  columns: z.array(
    z.object({
      visits: z.int(),
      ended: z.int(),
      pages: z.array(z.object({ path: z.string(), visits: z.int() })),
      /** Visits to pages beyond the first ten, and the number of those pages. */ other: z.object({ visits: z.int(), pages: z.int() }),
    }),
  ),
});
export type Journey = z.infer<typeof Journey>;

const Params = z.object({ siteId: SiteId });
const reportEndpoint = {
  access: { site: 'analytics.read' },
  token: 'analytics:read',
  params: Params,
  errors: ['range_not_allowed', 'analytics_unavailable', 'invalid_fields'],
} as const;
export const insightReportEndpoints = {
  funnelResult: endpoint(insightReportCalls.funnelResult, {
    ...reportEndpoint,
    summary: 'How many visitors got to each step of a funnel',
    params: Params.extend({ id: rowId }),
    query: FunnelQuery,
    response: FunnelResult,
  }),
  eventsReport: endpoint(insightReportCalls.eventsReport, {
    ...reportEndpoint,
    summary: 'The site’s own events by name',
    query: EventsQuery,
    response: EventsReport,
  }),
  eventDetail: endpoint(insightReportCalls.eventDetail, {
    ...reportEndpoint,
    summary: 'One event: its properties and their values',
    query: EventDetailQuery,
    response: EventDetail,
  }),
  searches: endpoint(insightReportCalls.searches, {
    ...reportEndpoint,
    summary: 'Terms of the site’s own search, and what came after',
    query: SearchesQuery,
    response: SearchesReport,
  }),
  scroll: endpoint(insightReportCalls.scroll, { ...reportEndpoint, summary: 'How far pages were read', query: ScrollQuery, response: ScrollReport }),
  retention: endpoint(insightReportCalls.retention, {
    ...reportEndpoint,
    summary: 'Who of the first visitors of each period came again',
    query: RetentionQuery,
    response: Retention,
  }),
  journey: endpoint(insightReportCalls.journey, {
    ...reportEndpoint,
    summary: 'Pages step by step from entries, or back from exits',
    query: JourneyQuery,
    response: Journey,
  }),
} as const;
