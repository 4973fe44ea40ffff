import { z } from 'zod';
import { compareModes, dimensions, granularities, measureGroupIds, measures, populations } from './terms';
import type { MeasureId } from './terms';

export const Day = z.iso.date();
/** `dimension:op:value` with several values joined by `|` (one of), `|` and `\` escaped by `\`. */
export const FilterText = z
  .string()
  .max(600)
  .regex(/^[a-zA-Z]+:(is|not|contains|excludes):/);
/** One value or several of a query string, as a list. */
export const many = <T extends z.ZodType>(one: T, max: number) =>
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
  /** Rows hold these alone and the one they are sorted by, the others are null: who shows few columns need not have all counted. None: all. */
  measure: many(z.enum(measures), measures.length),
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
  /** False where a sketch was used or visits were being built. */
  exact: z.boolean(),
  /** While the answer was made, visits were being built from past hits (an import, a rebuild): each visitor is counted as before or as after it. */
  building: z.boolean(),
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
  /** The buckets of `by` in order, as the site has set them; absent where `by` has none. */
  axis: z.array(z.string()).optional(),
  rows: z.array(Row).nullable(),
  /** Number of distinct keys, before paging. */
  rowCount: z.int().nullable(),
  explain: Explain,
});
export type Report = z.infer<typeof Report>;
