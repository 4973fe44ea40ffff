import { z } from 'zod';
import { Day, ReportQuery } from './report';
import { dimensions, sourceTypes } from './terms';
import { normalizePath } from '../paths';

/** Selection of a report: range, filters, population and segments, without layout parameters. */
export const Scoped = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true });
const Compared = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true, compare: true, compareFrom: true, compareTo: true });

/** `under`: a directory that begins and ends with `/`. */
export const TreeQuery = Scoped.extend({
  under: z
    .string()
    .max(2000)
    .regex(/^\/(.*\/)?$/s)
    .transform(normalizePath)
    .default('/'),
  host: z.string().max(255).optional(),
});
export type TreeQuery = z.input<typeof TreeQuery>;
export const Tree = z.object({
  under: z.string(),
  /**
   * The 500 nodes with the most page views. `views` counts everything below the node; `visitors` and `visits` count who saw anything below it. A page that is
   * also a directory is listed twice.
   */
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

export const FlowQuery = Scoped.extend({ path: z.string().min(1).max(2000).transform(normalizePath) });
export type FlowQuery = z.input<typeof FlowQuery>;
const FlowEnd = z.object({ path: z.string(), views: z.int(), share: z.number() });
/**
 * Views of one page by what preceded and followed them in the same visit. Shares are fractions of `views`. `views` = `entries` + `again` + upstream = `exits` +
 * `againNext` + downstream; the lists contain the 50 most frequent pages and sources.
 */
export const Flow = z.object({
  path: z.string(),
  views: z.int(),
  /** Views that began their visit, by source (`sourceType`, `sourceName`); `upstream`: views by the preceding page. */
  entries: z.int(),
  sources: z.array(z.object({ sourceType: z.enum(sourceTypes), sourceName: z.string(), views: z.int(), share: z.number() })),
  upstream: z.array(FlowEnd),
  /** Views directly after a view of the same page (for example a reload). */
  again: z.int(),
  exits: z.int(),
  downstream: z.array(FlowEnd),
  /** Views directly before a view of the same page. */
  againNext: z.int(),
});
export type Flow = z.infer<typeof Flow>;

export const DistributionQuery = Scoped.extend({ of: z.enum(['visits', 'views']) });
export type DistributionQuery = z.input<typeof DistributionQuery>;
/**
 * Computed over the whole range, never summed from days. Keys are those of `visitNumber` for visits and of `pages` for views; all keys are present, in order.
 * Every visitor of the range is in one bucket; visitors without anything to count (a visit that began before the range, or one without a page view) are in the
 * first.
 */
export const Distribution = z.object({
  of: z.enum(['visits', 'views']),
  visitors: z.int(),
  buckets: z.array(z.object({ key: z.string(), visitors: z.int(), visits: z.int(), views: z.int(), share: z.number().nullable() })),
});
export type Distribution = z.infer<typeof Distribution>;

export const KnownShares = z.object({
  /** Visits from search engines, and those of them whose search term is known. */
  search: z.int(),
  keyword: z.int(),
  /** Visits from other sites, and those of them whose referring page (not only the site) is known. */
  referred: z.int(),
  referrerPath: z.int(),
});
export type KnownShares = z.infer<typeof KnownShares>;

export const MoversQuery = Compared.extend({ by: z.enum(dimensions), measure: z.enum(['visits', 'visitors', 'views']).default('visits') });
export type MoversQuery = z.input<typeof MoversQuery>;
const Mover = z.object({ key: z.string(), now: z.int(), before: z.int() });
/**
 * At most ten entries each; entries of `fresh` had no value in the comparison period. All lists are empty without a comparison period, or when it has no data.
 */
export const Movers = z.object({ fresh: z.array(Mover), rising: z.array(Mover), falling: z.array(Mover) });
export type Movers = z.infer<typeof Movers>;

export const OutlookQuery = ReportQuery.pick({ filter: true, who: true, segment: true }).extend({
  measure: z.enum(['visitors', 'visits', 'views']).default('views'),
});
export type OutlookQuery = z.input<typeof OutlookQuery>;
/**
 * `forecast`: today so far × (whole day / day up to this time) of the same weekday in the last four weeks; `low` and `high` are the range of those weeks,
 * `middle` combines them. null when fewer than two of those days had data by this time, and while today has none. `best`: the day with the highest value within
 * three years, today excluded, the latest of equal days; null without data.
 */
export const Outlook = z.object({
  soFar: z.int(),
  forecast: z.object({ low: z.int(), middle: z.int(), high: z.int(), days: z.int() }).nullable(),
  best: z.object({ day: Day, value: z.int() }).nullable(),
});
export type Outlook = z.infer<typeof Outlook>;
