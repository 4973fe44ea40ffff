import { z } from 'zod';
import { errorStatus, fieldCodes } from '../errors';
import type { ErrorCode } from '../errors';
import { compareModes, dimensions, granularities, measureGroupIds, measures, mostReports, populations } from './terms';
import type { MeasureId } from './terms';

export const Day = z.iso.date();
/** `dimension:op:value`; several values are separated by `|` (any of them), with `|` and `\` escaped by `\`. */
export const FilterText = z
  .string()
  .max(600)
  .regex(/^[a-zA-Z]+:(is|not|contains|excludes):/);
/** Accepts one or several values of a query parameter, as a list. */
export const many = <T extends z.ZodType>(one: T, max: number) =>
  z
    .union([one, z.array(one).max(max)])
    .optional()
    .transform((v): z.output<T>[] => (v === undefined ? [] : Array.isArray(v) ? v : [v as z.output<T>]));

export const ReportQuery = z.object({
  /** First and last day, inclusive, in the site's time zone. */
  from: Day,
  to: Day,
  /** `minute`: for today only; the series covers the last six hours, totals and rows cover the whole day. */
  gran: z.enum(granularities).optional(),
  compare: z.enum(compareModes).default('none'),
  compareFrom: Day.optional(),
  compareTo: Day.optional(),
  filter: many(FilterText, 20),
  who: z.enum(populations).default('humans'),
  /** Saved segments; their filters apply in addition to `filter`. */
  segment: many(z.uuid(), 5),
  /** Groups of measures to compute besides the default ones. */
  with: many(z.enum(measureGroupIds), measureGroupIds.length),
  /** The goal that conversions are counted for; absent: any goal. */
  goal: z.uuid().optional(),
  /** Dimension that rows are grouped by; absent: totals and series only. */
  by: z.enum(dimensions).optional(),
  /** Whether to include the time series. */
  series: z.enum(['0', '1']).default('0'),
  sort: z.enum(measures).default('visitors'),
  /** Measures to compute for rows, besides the sorted one; the others are null. Screens with few columns save work this way. Empty: all. */
  measure: many(z.enum(measures), measures.length),
  /** Sorts rows by key (in the direction of `dir`), and buckets in the order of their axis; `sort` then only selects the measure whose share is returned. */
  byKey: z.enum(['0', '1']).default('0'),
  dir: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).max(1000).default(1),
  size: z.coerce.number().int().min(1).max(500).default(20),
});
export type ReportQuery = z.input<typeof ReportQuery>;

/** The parameters of a query string; a repeated one is a list. */
export function paramsOf(queryString: string): Record<string, string | string[]> {
  const params = new URLSearchParams(queryString);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

export const ReportsQuery = z.object({
  /** Each the query string of a `report`: `from=2026-11-01&to=2026-11-20&by=path`. */
  q: many(
    z
      .string()
      .max(8000)
      .transform((text) => paramsOf(text) as z.input<typeof ReportQuery>)
      .pipe(ReportQuery),
    mostReports,
  ),
});

/** null: undefined (for example a ratio with a zero denominator). Ratios are 0…1, times are seconds. */
const Values = z.record(z.enum(measures), z.number().nullable());
export type Values = Record<MeasureId, number | null>;

export const Bucket = z.object({
  /** Start of the bucket as wall-clock time of the site's zone, `2026-11-20T08:00`. */
  label: z.string(),
  /** Start of the bucket, epoch ms. */
  start: z.number(),
  end: z.number(),
  /** Whether the bucket has not ended yet. */
  open: z.boolean(),
  values: Values,
});
export type Bucket = z.infer<typeof Bucket>;

export const Row = z.object({
  /** Raw value; '' means unknown. */
  key: z.string(),
  values: Values,
  /** The same measures in the comparison period; null without one. */
  compare: Values.nullable(),
  /** Share of the total of the sorted measure, 0…1; null for ratios. */
  share: z.number().nullable(),
});
export type Row = z.infer<typeof Row>;

/** Provenance of a figure, shown by "explain this number". */
export const Explain = z.object({
  source: z.enum(['visits', 'rollup']),
  /** False when a sketch was used or visits were being built. */
  exact: z.boolean(),
  /** Visits were being built from past hits (an import, a rebuild) during the query: each visitor is counted as either before or after the build. */
  building: z.boolean(),
  /** Relative standard error when a sketch was used. */
  error: z.number().nullable(),
  /** Time of the newest hit counted, epoch ms; null when there is none. */
  freshTo: z.number().nullable(),
  /** Time of the computation, epoch ms. */
  at: z.number(),
  /** Visits in the range that the population excludes. */
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
   * When the range has not ended yet, `compareTotals` and `Row.compare` count the comparison period only up to this instant (epoch ms), the same time of day as
   * now, so that part of a day is never compared with a whole one. `compareSeries` covers the whole period. null: the comparison period is counted whole, or
   * there is none.
   */
  compareUntil: z.number().nullable(),
  totals: Values,
  compareTotals: Values.nullable(),
  series: z.array(Bucket).nullable(),
  compareSeries: z.array(Bucket).nullable(),
  /** Keys of the buckets of `by` in order, as set for the site; absent when `by` is not bucketed. */
  axis: z.array(z.string()).optional(),
  rows: z.array(Row).nullable(),
  /** Number of distinct keys, before paging. */
  rowCount: z.int().nullable(),
  explain: Explain,
});
export type Report = z.infer<typeof Report>;

/** One entry per query, in the same order: the report, or the error if this report failed. */
export const Reports = z.array(
  z.union([
    z.object({ data: Report }),
    z.object({
      status: z.int(),
      error: z.string(),
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      requestId: z.string(),
      fields: z.record(z.string(), z.looseObject({ code: z.enum(fieldCodes) })).optional(),
    }),
  ]),
);
export type Reports = z.infer<typeof Reports>;
