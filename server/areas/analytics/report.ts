import type { z } from 'zod';
import { measures } from '../../../contract/analytics/schemas';
import type { Bucket, Report, ReportQuery, Row, Values } from '../../../contract/analytics/schemas';
import { failField } from '../../http/failure';
import { resultsFor } from './results';
import type { Estimated, ResultOptions, Results } from './results';
import { measureTable, measuresWith, nothingOf } from './measures';
import { wasBuilt } from './queries';
import type { Coverage, QueryContext, Series } from './queries';
import { planRange, shownSteps, stepsOf } from './range';
import type { Plan, Range } from './range';
import { noScope, scanOf } from './scope';
import type { Scope } from './scope';
import { axisIn } from './slices';
import type { Scan } from './slices';

export type ReportSite = { readonly id: string; readonly timeZone: string };
export type ParsedReportQuery = z.output<typeof ReportQuery>;
/** `scope`: what the names in the question stand for (`scopeFor`). */
export type ReportOptions = Omit<ResultOptions, 'now'> & { readonly now: () => number; readonly scope?: Scope };

/**
 * One report: totals, a time series and rows by one dimension if requested, and the source of the figures. Everything is read from the same visits by the
 * same slices, so that no two screens can differ. Throws `range_not_allowed`, `invalid_fields` (a filter without meaning), ClickHouseAway.
 */
export async function makeReport(to: QueryContext, site: ReportSite, query: ParsedReportQuery, options: ReportOptions): Promise<Report> {
  const began = performance.now();
  const now = options.now();
  const plan = planRange(query, site.timeZone, now);
  const scanIn = ({ start }: Range, end: number): Scan => scanOf(site, query, options.scope ?? noScope, { start, end });
  const { by, sort, dir, page, size } = query;
  const groups = [...new Set(query.with)].sort();
  const counted = measuresWith(groups);
  if (!counted.includes(sort)) failField('sort', 'out_of_range');
  if (!query.measure.every((id) => counted.includes(id))) failField('measure', 'out_of_range');
  const only = query.measure.length === 0 ? undefined : counted.filter((id) => id === sort || query.measure.includes(id));
  const requested = (values: Values): Values =>
    only ? (Object.fromEntries(measures.map((id) => [id, only.includes(id) ? values[id] : null])) as Values) : values;
  const empty = nothingOf(groups);
  const withSeries = query.series === '1';
  const axis = by === undefined ? undefined : axisIn(options.scope ?? noScope, by);

  const figuresQuery = { groups, by, ...(withSeries ? { gran: plan.gran } : {}) };
  const results = (range: Range, end: number): Promise<Results> => resultsFor(to, scanIn(range, end), range, figuresQuery, { ...options, now });
  // Concurrently, so that common parts are queried once. A comparison that stops early still shows its whole axis.
  const [ofRange, ofEarlier, ofWholeEarlier] = await Promise.all([
    results(plan.range, plan.range.end),
    plan.comparison && results(plan.comparison, plan.compareUntil ?? plan.comparison.end),
    withSeries && plan.comparison && plan.compareUntil !== null ? results(plan.comparison, plan.comparison.end) : null,
  ]);

  const [main, rows, comparison, coverage] = await Promise.all([
    withSeries ? ofRange.series(plan.gran) : totalsOnly(ofRange),
    by === undefined ? null : ofRange.rows({ by, sort, dir, page, size, groups, byKey: query.byKey === '1', axis, only }),
    compared(ofEarlier, ofWholeEarlier, plan, withSeries),
    ofRange.coverage(),
  ]);
  const earlier =
    rows && by !== undefined && ofEarlier
      ? await ofEarlier.some(
          by,
          rows.value.rows.map((row) => row.key),
          only,
        )
      : null;

  // Asked last and about the whole time, so that nothing that changed between two questions goes unsaid.
  const building = await wasBuilt(to, site.id, performance.now() - began + 1);
  const error = [main, rows, comparison, earlier].reduce<number | null>((most, estimated) => worst(most, estimated?.error ?? null), null);
  const totalOfSorted = main.value.totals[sort];
  return {
    from: query.from,
    to: query.to,
    timeZone: site.timeZone,
    gran: plan.gran,
    compareFrom: plan.comparison?.from ?? null,
    compareTo: plan.comparison?.to ?? null,
    compareUntil: plan.compareUntil,
    totals: main.value.totals,
    compareTotals: comparison?.value.totals ?? null,
    series: withSeries ? bucketsOf(plan.range, plan, main.value, { now, until: now, empty }) : null,
    compareSeries:
      withSeries && plan.comparison && comparison ? bucketsOf(plan.comparison, plan, comparison.value, { now, until: plan.compareUntil ?? now, empty }) : null,
    ...(axis === undefined ? {} : { axis: [...axis] }),
    rows: rows
      ? rows.value.rows.map(({ key, values }): Row => ({
          key,
          values: requested(values),
          compare: earlier ? requested(earlier.value.get(key) ?? empty) : null,
          share: shareOf(values, sort, totalOfSorted),
        }))
      : null,
    rowCount: rows ? rows.value.count : null,
    explain: {
      source: ofRange.source,
      exact: error === null && !building,
      building,
      error,
      freshTo: coverage.freshTo,
      at: now,
      excluded: excludedBy(query.who, coverage),
      tookMs: Math.round(performance.now() - began),
    },
  };
}

/** Figures of the compared range: `whole` answers for all of it where `earlier` stops early. */
async function compared(earlier: Results | null, whole: Results | null, { gran }: Plan, withSeries: boolean): Promise<Estimated<Series> | null> {
  if (!earlier) return null;
  if (!withSeries) return totalsOnly(earlier);
  if (!whole) return earlier.series(gran);
  const [all, totals] = await Promise.all([whole.series(gran), earlier.totals()]);
  return { value: { ...all.value, totals: totals.value }, error: worst(all.error, totals.error) };
}

/** Visitors that the question leaves out by their score. */
const excludedBy = (who: ParsedReportQuery['who'], { suspected, bots }: Coverage): Report['explain']['excluded'] => ({
  suspected: who === 'suspected' || who === 'all' ? 0 : suspected,
  bots: who === 'bots' || who === 'all' ? 0 : bots,
});

async function totalsOnly(results: Results): Promise<Estimated<Series>> {
  const { value, error } = await results.totals();
  return { value: { totals: value, byStep: new Map() }, error };
}
/** The larger of two errors; null is none. */
const worst = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.max(a, b));

/** `until`: the instant of the range that stands for now. */
function bucketsOf(
  range: Range,
  { gran }: Plan,
  series: Series,
  { now, until, empty }: { readonly now: number; readonly until: number; readonly empty: Values },
): Bucket[] {
  return shownSteps(stepsOf(range, gran), gran, until).map((step) => ({ ...step, open: step.end > now, values: series.byStep.get(step.start) ?? empty }));
}

function shareOf(values: Values, measure: ParsedReportQuery['sort'], total: number | null): number | null {
  const value = values[measure];
  return measureTable[measure].kind !== 'count' || value === null || !total ? null : value / total;
}
