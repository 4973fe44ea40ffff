import { z } from 'zod';
import { ReportQuery } from '../analytics/schemas';
import { insightReportCalls } from './calls';
import { endpoint } from '../endpoint';
import { normalizePath } from '../paths';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';

/** What a question is about: range, filters, population, segments; the same as of every report. */
const Scoped = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true });
const paging = { page: z.coerce.number().int().min(1).max(1000).default(1), size: z.coerce.number().int().min(1).max(500).default(20) };

/**
 * Events at their own time within the range, of visits that the filters select; under page filters, those alone that happened on a page
 * view which they hold for. `own`: the site's events, whose names do not begin with `$`.
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
  /** Links to other sites that were followed, and files taken. */
  outbound: z.int(),
  downloads: z.int(),
});
export type EventsReport = z.infer<typeof EventsReport>;

export const EventDetailQuery = Scoped.extend({ name: z.string().min(1).max(200) });
export type EventDetailQuery = z.input<typeof EventDetailQuery>;
/** A property's values as they are written: texts as they are, other JSON as its text. `visits`, `visitors`: with such an event. */
const ValueRow = z.object({ value: z.string(), count: z.int(), visits: z.int(), visitors: z.int(), /** Of the event's count. */ share: z.number() });
export const EventDetail = z.object({
  name: z.string(),
  count: z.int(),
  visits: z.int(),
  visitors: z.int(),
  lastAt: z.number().nullable(),
  /** The 30 most frequent ones, by name where equally so. */
  properties: z.array(
    z.object({
      name: z.string(),
      /** Events that have it. */
      count: z.int(),
      /** Distinct values; `values` are the 50 most frequent of them. */
      distinct: z.int(),
      values: z.array(ValueRow),
      /** Over its numbers (see `Condition`); null when there are none. */
      numbers: z.object({ count: z.int(), sum: z.number(), mean: z.number(), min: z.number(), max: z.number() }).nullable(),
    }),
  ),
});
export type EventDetail = z.infer<typeof EventDetail>;

/** Site searches: page views with a search term, within the range. */
export const SearchesQuery = Scoped.extend({ ...paging, /** Also tell where one term led. */ term: z.string().min(1).max(500).optional() });
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
      /** What came next in the visit: another page, another search (also of the same term), nothing. They add up to `searches`. */
      followed: z.int(),
      again: z.int(),
      left: z.int(),
    }),
  ),
  rowCount: z.int(),
  /** Pages opened right after `term`, the ten most frequent; null when no term was asked for. */
  next: z.array(z.object({ path: z.string(), views: z.int() })).nullable(),
});
export type SearchesReport = z.infer<typeof SearchesReport>;

/** How far pages were read: page views by their deepest scroll. */
export const ScrollQuery = Scoped.extend(paging);
export type ScrollQuery = z.input<typeof ScrollQuery>;
export const scrollMarks = [25, 50, 75, 90, 100] as const;
const Depth = {
  views: z.int(),
  /** Mean deepest scroll, 0…1. */ average: z.number().nullable(),
  /** Views that got at least to each of `scrollMarks` per cent. */ reached: z.array(z.int()),
};
export const ScrollReport = z.object({ totals: z.object(Depth), rows: z.array(z.object({ path: z.string(), ...Depth })), rowCount: z.int() });
export type ScrollReport = z.infer<typeof ScrollReport>;

/**
 * A funnel's result. Exactly:
 *
 * Hits are the page views (at `view.at`) and the events (at `event.at`) of the visits of the population. The hits of one visitor (scope
 * `visitor`), or of one visit (scope `visit`), stand in the order of their time in ms; at equal times page views before events, then each
 * in the order in which its visit has them. A chain to step k is k hits h1…hk, each after the one before in that order (so no hit serves
 * two steps, and steps that are not asked for may lie between), where hi meets step i, h1 lies in the range, the visit of h1 is one that
 * the filters and segments select (under page filters: one with a page view that they hold for), and hk is at most `within` minutes
 * (inclusive) after h1. Later hits may lie after the range, and in visits that the filters do not speak of.
 * A visitor has reached step k when there is a chain to it; `visitors` counts these, once each. `rate` is of step 1, `stepRate` of the
 * step before.
 *
 * `medianSeconds` of step k: for each visitor who reached it, from p to q, where q is the first hit that ends a chain to k, and p is
 * the last hit before q that ends a chain to k−1, of the latest beginning among such; over visitors, the usual median (the mean of the
 * middle two). In scope `visit` a visitor's time is that of the first visit (by its beginning) which reached k. This is the
 * one-pass rule of ClickHouse's windowFunnel (the latest possible beginning of a chain is kept for each step), with ties made definite.
 */
export const FunnelResult = z.object({
  steps: z.array(
    z.object({
      visitors: z.int(),
      rate: z.number().nullable(),
      stepRate: z.number().nullable(),
      /** Reached the step before and not this one; 0 for the first. */
      dropped: z.int(),
      medianSeconds: z.number().nullable(),
    }),
  ),
});
export type FunnelResult = z.infer<typeof FunnelResult>;
export const FunnelQuery = Scoped;

/**
 * Who came again. Cohorts are the visitors whose first visit ever (`visit_no` 1, not the first of the range) begins in a period and is one
 * that filters, segments and population select; periods are whole calendar days, weeks (from Monday) or months of the site's zone: all
 * that have a day in the range. `returned[n - 1]`: those of them who began another visit of the population in the nth period after;
 * null where that has not begun. Nothing can be said where visitors have no lasting id.
 */
export const RetentionQuery = Scoped.extend({ unit: z.enum(['day', 'week', 'month']).default('week') });
export type RetentionQuery = z.input<typeof RetentionQuery>;
/** Later periods that are looked at. */
export const retentionPeriods = { day: 14, week: 12, month: 12 } as const;
/** Most cohorts of one answer. */
export const mostCohorts = 62;
export const Retention = z.object({
  /** false: cookieless, so that each day knows new visitors only. */
  known: z.boolean(),
  unit: z.enum(['day', 'week', 'month']),
  periods: z.int(),
  cohorts: z.array(
    z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      visitors: z.int(),
      returned: z.array(z.int().nullable()),
      /** How many of `returned` are over. */ closed: z.int(),
    }),
  ),
});
export type Retention = z.infer<typeof Retention>;

/** Most steps of a walk. */
export const longestWalk = 5;
/**
 * A walk over the pages of visits that begin in the range: from their entry on (`entry`), or from their exit back (`exit`). The pages of a
 * visit are its page views in order, those that directly repeat a path left out. `step` holds the paths walked so far; for each
 * prefix of it the answer tells what came next (before).
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
  /** One for each prefix of `step`, the empty one first: visits with that prefix, those with nothing beyond, and what came next, most first. */
  columns: z.array(
    z.object({
      visits: z.int(),
      ended: z.int(),
      pages: z.array(z.object({ path: z.string(), visits: z.int() })),
      /** Visits of pages beyond the first ten, and how many pages. */ other: z.object({ visits: z.int(), pages: z.int() }),
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
    answer: FunnelResult,
  }),
  eventsReport: endpoint(insightReportCalls.eventsReport, {
    ...reportEndpoint,
    summary: 'The site’s own events by name',
    query: EventsQuery,
    answer: EventsReport,
  }),
  eventDetail: endpoint(insightReportCalls.eventDetail, {
    ...reportEndpoint,
    summary: 'One event: its properties and their values',
    query: EventDetailQuery,
    answer: EventDetail,
  }),
  searches: endpoint(insightReportCalls.searches, {
    ...reportEndpoint,
    summary: 'Terms of the site’s own search, and what came after',
    query: SearchesQuery,
    answer: SearchesReport,
  }),
  scroll: endpoint(insightReportCalls.scroll, { ...reportEndpoint, summary: 'How far pages were read', query: ScrollQuery, answer: ScrollReport }),
  retention: endpoint(insightReportCalls.retention, {
    ...reportEndpoint,
    summary: 'Who of the first visitors of each period came again',
    query: RetentionQuery,
    answer: Retention,
  }),
  journey: endpoint(insightReportCalls.journey, {
    ...reportEndpoint,
    summary: 'Pages step by step from entries, or back from exits',
    query: JourneyQuery,
    answer: Journey,
  }),
} as const;
