import { z } from 'zod';
import { Day, ReportQuery } from './report';
import { dimensions, sourceTypes } from './terms';
import { normalizePath } from '../paths';

/** What a question is about, without how its answer is laid out. */
export const Scoped = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true });
const Compared = ReportQuery.pick({ from: true, to: true, filter: true, who: true, segment: true, compare: true, compareFrom: true, compareTo: true });

/** `under`: a directory, beginning and ending with `/`. */
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

export const FlowQuery = Scoped.extend({ path: z.string().min(1).max(2000).transform(normalizePath) });
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
