import { z } from 'zod';
import { Day } from '../analytics/report';
import { granularities } from '../analytics/terms';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId, safeText } from '../text';
import { vitalCalls } from './calls';
import {
  budgetStates,
  connectionTypes,
  largestValue,
  navigationTypes,
  percentiles,
  ratings,
  subParts,
  vitalDevices,
  vitalDimensions,
  vitalMetrics,
} from './terms';

/** Web vitals measured in visitors' browsers. */

const Params = z.object({ siteId: SiteId });
const Metric = z.enum(vitalMetrics);
const Percentiles = z.literal(percentiles);
const filterText = z.string().max(600).optional();
/** Days of the site, both included, and filters; the filter '' matches values without that property. */
export const VitalsQuery = z.object({
  from: Day,
  to: Day,
  family: filterText,
  path: filterText,
  device: filterText,
  country: filterText,
  browser: filterText,
  connection: z.enum(connectionTypes).optional(),
  navigation: z.enum(navigationTypes).optional(),
});
export type VitalsQuery = z.input<typeof VitalsQuery>;

/** Values of a metric. Percentiles are the value at position ⌊n × p⌋ of all values in ascending order; where a site has rollups, they are within 0.5 % of it. */
export const VitalFigures = z.object({
  n: z.int(),
  good: z.int(),
  needs: z.int(),
  poor: z.int(),
  /** By `percentiles`; null without values. */
  p50: z.number().nullable(),
  p75: z.number().nullable(),
  p90: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});
export type VitalFigures = z.infer<typeof VitalFigures>;

export const VitalScore = VitalFigures.extend({
  metric: Metric,
  /** Of the 75th percentile; null below `leastForVerdict` values. */
  rating: z.enum(ratings).nullable(),
  /** The range in which the 75th percentile of all page views lies with 95 % probability; null where there are enough values for a verdict, or none. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Page views with a value. */
  views: z.int(),
  /** Share of all page views of people that have a value, 0–1; null if these cannot be counted under the filters. */
  coverage: z.number().nullable(),
  /** The same figures of the period before. */
  before: VitalFigures,
});
export type VitalScore = z.infer<typeof VitalScore>;

/**
 * `fail`: a core metric is not good at the 75th percentile. `pass`: LCP and CLS are good, and so is INP if it has enough values, which sites without interactions lack. Otherwise
 * `unknown`.
 */
export const VitalVerdict = z.enum(['pass', 'fail', 'unknown']);
export type VitalVerdict = z.infer<typeof VitalVerdict>;
const Collection = z.object({ on: z.boolean(), percent: z.int() });

export const VitalSummary = z.object({
  verdict: VitalVerdict,
  scores: z.array(VitalScore),
  /** Days of the period before. */
  compareFrom: Day,
  compareTo: Day,
  collection: Collection,
  /** Whether the site has ever had a value. */
  ever: z.boolean(),
});
export type VitalSummary = z.infer<typeof VitalSummary>;

export const VitalSite = z.object({
  siteId: SiteId,
  verdict: VitalVerdict,
  collection: Collection,
  scores: z.array(z.object({ metric: Metric, n: z.int(), p75: z.number().nullable(), rating: z.enum(ratings).nullable() })),
});
export type VitalSite = z.infer<typeof VitalSite>;

export const VitalSeries = z.object({
  gran: z.enum(granularities),
  /** `label`: the local time at which the step begins. */
  steps: z.array(z.object({ label: z.string(), start: z.number(), figures: VitalFigures })),
});
export type VitalSeries = z.infer<typeof VitalSeries>;

export const VitalBreakdown = z.object({
  /** By number of values of the metric, the most first. */
  rows: z.array(
    z.object({ key: z.string(), figures: z.record(Metric, z.object({ n: z.int(), value: z.number().nullable(), rating: z.enum(ratings).nullable() })) }),
  ),
  total: z.int(),
});
export type VitalBreakdown = z.infer<typeof VitalBreakdown>;

const subPartNames = [...new Set(Object.values(subParts).flat())];
export const VitalAttribution = z.object({
  /** 75th percentile of each part; null if no browser reports it. */
  parts: z.array(z.object({ part: z.enum(subPartNames), p75: z.number().nullable() })),
  /** Elements, files and scripts that are named most often: with the number of values and their 75th percentile. */
  elements: z.array(z.object({ name: z.string(), detail: z.string(), n: z.int(), p75: z.number() })),
  scripts: z.array(z.object({ name: z.string(), detail: z.string(), n: z.int(), p75: z.number() })),
});
export type VitalAttribution = z.infer<typeof VitalAttribution>;

export const VitalHistogram = z.object({
  n: z.int(),
  /** `end` is included; null: open. */
  bins: z.array(z.object({ start: z.number(), end: z.number().nullable(), n: z.int(), rating: z.enum(ratings) })),
});
export type VitalHistogram = z.infer<typeof VitalHistogram>;

export const VitalsOfView = z.array(
  z.object({
    metric: Metric,
    value: z.number(),
    rating: z.enum(ratings),
    navigation: z.enum(navigationTypes),
    at: z.iso.datetime(),
    attribution: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
);
export type VitalsOfView = z.infer<typeof VitalsOfView>;

const budgetFields = {
  metric: Metric,
  percentile: Percentiles,
  /** Milliseconds, or a score for `cls`. */
  most: z.number().positive(),
  /** In paths, `*` matches any characters; empty: all pages. */
  pathPattern: safeText(300).refine((text) => text === '' || text.startsWith('/') || text.startsWith('*'), { message: 'pattern' }),
  device: z.enum(['', ...vitalDevices]),
  notify: z.boolean(),
};
export const VitalBudgetInput = z
  .strictObject(budgetFields)
  .superRefine(({ metric, most }, check) =>
    most > largestValue[metric] ? check.addIssue({ code: 'custom', message: 'out_of_range', path: ['most'] }) : undefined,
  );
export type VitalBudgetInput = z.output<typeof VitalBudgetInput>;
export const VitalBudget = z.object({
  ...budgetFields,
  id: z.uuid(),
  /** Of the last seven days, as last evaluated. `unknown`: too few values. */
  state: z.enum(budgetStates),
  value: z.number().nullable(),
  count: z.int(),
  evaluatedAt: z.iso.datetime().nullable(),
  changedAt: z.iso.datetime().nullable(),
  revision: z.int(),
});
export type VitalBudget = z.infer<typeof VitalBudget>;

const read = { access: { site: 'analytics.read' }, token: 'analytics:read' } as const;
const write = { access: { site: 'analytics.configure' }, token: 'analytics:write' } as const;
const BudgetParams = Params.extend({ id: rowId });
const errors = ['range_not_allowed', 'analytics_unavailable'] as const;
export const vitalEndpoints = {
  vitalSites: endpoint(vitalCalls.vitalSites, {
    access: 'session',
    token: 'analytics:read',
    summary: 'Web vitals of every site whose analytics the caller may read',
    query: VitalsQuery.pick({ from: true, to: true, device: true }),
    response: z.array(VitalSite),
    errors,
  }),
  vitalSummary: endpoint(vitalCalls.vitalSummary, {
    ...read,
    summary: 'Web vitals of a site: percentiles, ratings, coverage, and the period before',
    params: Params,
    query: VitalsQuery,
    response: VitalSummary,
    errors,
  }),
  vitalSeries: endpoint(vitalCalls.vitalSeries, {
    ...read,
    summary: 'One metric over time',
    params: Params,
    query: VitalsQuery.extend({ metric: Metric, gran: z.enum(['hour', 'day', 'week', 'month']).optional() }),
    response: VitalSeries,
    errors,
  }),
  vitalBreakdown: endpoint(vitalCalls.vitalBreakdown, {
    ...read,
    summary: 'Metrics by family of pages, page, device, country, browser, connection or kind of navigation',
    params: Params,
    query: VitalsQuery.extend({
      by: z.enum(vitalDimensions),
      metric: Metric.default('lcp'),
      percentile: z.coerce.number().pipe(Percentiles).default(75),
      page: z.coerce.number().int().min(1).max(1000).default(1),
      size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: VitalBreakdown,
    errors,
  }),
  vitalAttribution: endpoint(vitalCalls.vitalAttribution, {
    ...read,
    summary: 'What makes up a metric, and the elements and scripts behind its values',
    params: Params,
    query: VitalsQuery.extend({ metric: Metric }),
    response: VitalAttribution,
    errors,
  }),
  vitalHistogram: endpoint(vitalCalls.vitalHistogram, {
    ...read,
    summary: 'Distribution of a metric; no bin straddles a rating',
    params: Params,
    query: VitalsQuery.extend({ metric: Metric }),
    response: VitalHistogram,
    errors,
  }),
  vitalsOfView: endpoint(vitalCalls.vitalsOfView, {
    ...read,
    summary: 'Web vitals of one page view',
    params: Params.extend({ pageId: z.string().regex(/^[0-9a-f]{16}$/) }),
    response: VitalsOfView,
    errors: ['analytics_unavailable'],
  }),
  vitalBudgets: endpoint(vitalCalls.vitalBudgets, {
    ...read,
    summary: 'Budgets of a site',
    params: Params,
    response: z.object({ rows: z.array(VitalBudget), /** Contacts that are notified. */ recipients: z.int() }),
  }),
  addVitalBudget: endpoint(vitalCalls.addVitalBudget, {
    ...write,
    summary: 'Add a budget: an upper limit of a percentile over the last seven days',
    params: Params,
    body: VitalBudgetInput,
    response: VitalBudget,
    errors: ['invalid_fields', 'conflict'],
  }),
  changeVitalBudget: endpoint(vitalCalls.changeVitalBudget, {
    ...write,
    ifMatch: 'required',
    summary: 'Change a budget (If-Match: revision); it is evaluated anew',
    params: BudgetParams,
    body: VitalBudgetInput,
    response: VitalBudget,
    errors: ['invalid_fields', 'not_found', 'stale_revision'],
  }),
  removeVitalBudget: endpoint(vitalCalls.removeVitalBudget, {
    ...write,
    summary: 'Delete a budget',
    params: BudgetParams,
    errors: ['not_found'],
  }),
} as const;
