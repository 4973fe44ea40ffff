import type { z } from 'zod';
import type { Bucket, Report, ReportQuery, Row, Values } from '../../../contract/analytics';
import { failField } from '../../http/failure';
import { measureTable, measuresWith, nothingOf } from './measures';
import type { MeasureGroup } from './measures';
import * as queries from './queries';
import type { Ask, Counting, Coverage, Series } from './queries';
import { planRange, stepsOf } from './range';
import type { Plan, Range } from './range';
import { noScope, scanOf } from './scope';
import type { Scope } from './scope';
import type { Scan } from './slices';

export type ReportSite = { readonly id: string; readonly timeZone: string };
export type ReportAsked = z.output<typeof ReportQuery>;
/** `scope`: what the names in the question stand for (`scopeFor`). `exactVisits` moves the bound between exact and sketched distinct counts; tests use it. */
export type ReportOptions = { readonly now: () => number; readonly scope?: Scope; readonly exactVisits?: number };

/**
 * One report: totals, a time series when asked for, rows by one dimension when asked for, and where the figures come
 * from. Everything is read from the same visits by the same slices, so that no two screens can differ.
 * Throws `range_not_allowed`, `invalid_fields` (a filter that means nothing), ClickHouseAway.
 */
export async function makeReport(to: Ask, site: ReportSite, query: ReportAsked, options: ReportOptions): Promise<Report> {
  const began = performance.now();
  const now = options.now();
  const plan = planRange(query, site.timeZone, now);
  const scanIn = ({ start }: Range, end: number): Scan => scanOf(site, query, options.scope ?? noScope, { start, end });
  const scan = scanIn(plan.range, plan.range.end);
  const { by, sort, dir, page, size } = query;
  const groups = [...new Set(query.with)].sort();
  if (!measuresWith(groups).includes(sort)) failField('sort', 'out_of_range');
  const empty = nothingOf(groups);
  const withSeries = query.series === '1';

  const stored = await queries.estimateVisits(to, scan);
  const counting: Counting = stored <= (options.exactVisits ?? queries.EXACT_VISITS) ? 'exact' : 'sketch';

  const [main, rows, comparison, coverage] = await Promise.all([
    withSeries ? queries.seriesOf(to, scan, plan.range, plan.gran, counting, groups) : totalsOnly(totalsOf(to, scan, plan.range, counting, groups)),
    by === undefined ? null : queries.rowsOf(to, scan, plan.range, { by, sort, dir, page, size, groups }, counting),
    compare(),
    coverageOf(to, scan),
  ]);
  const earlier =
    rows && by !== undefined && plan.comparison
      ? await queries.rowsByKey(
          to,
          scanIn(plan.comparison, plan.compareUntil ?? plan.comparison.end),
          plan.comparison,
          by,
          rows.rows.map((row) => row.key),
          counting,
          groups,
        )
      : null;

  async function compare(): Promise<Series | null> {
    if (!plan.comparison) return null;
    const { comparison: range, compareUntil } = plan;
    if (!withSeries) return totalsOnly(totalsOf(to, scanIn(range, compareUntil ?? range.end), range, counting, groups));
    if (compareUntil === null) return queries.seriesOf(to, scanIn(range, range.end), range, plan.gran, counting, groups);
    const [whole, totals] = await Promise.all([
      queries.seriesOf(to, scanIn(range, range.end), range, plan.gran, counting, groups),
      totalsOf(to, scanIn(range, compareUntil), range, counting, groups),
    ]);
    return { ...whole, totals };
  }

  const totalOfSorted = main.totals[sort];
  return {
    from: query.from,
    to: query.to,
    timeZone: site.timeZone,
    gran: plan.gran,
    compareFrom: plan.comparison?.from ?? null,
    compareTo: plan.comparison?.to ?? null,
    compareUntil: plan.compareUntil,
    totals: main.totals,
    compareTotals: comparison?.totals ?? null,
    series: withSeries ? bucketsOf(plan.range, plan, main, now, empty) : null,
    compareSeries: withSeries && plan.comparison && comparison ? bucketsOf(plan.comparison, plan, comparison, now, empty) : null,
    rows: rows
      ? rows.rows.map(({ key, values }): Row => ({
          key,
          values,
          compare: earlier ? (earlier.get(key) ?? empty) : null,
          share: shareOf(values, sort, totalOfSorted),
        }))
      : null,
    rowCount: rows ? rows.count : null,
    explain: {
      source: 'visits',
      exact: counting === 'exact',
      error: counting === 'exact' ? null : queries.SKETCH_ERROR,
      freshTo: coverage.freshTo,
      at: now,
      excluded: {
        suspected: query.who === 'suspected' || query.who === 'all' ? 0 : coverage.suspected,
        bots: query.who === 'bots' || query.who === 'all' ? 0 : coverage.bots,
      },
      tookMs: Math.round(performance.now() - began),
    },
  };
}

/** What several tables of one screen need alike; nobody's leaving may stop it for the others. */
const totalsOf = (to: Ask, scan: Scan, range: Range, counting: Counting, groups: readonly MeasureGroup[]): Promise<Values> =>
  to.share
    ? to.share(['totals', scan, range, counting, groups], () => queries.totalsOf({ clickhouse: to.clickhouse }, scan, range, counting, groups))
    : queries.totalsOf(to, scan, range, counting, groups);
const coverageOf = (to: Ask, scan: Scan): Promise<Coverage> =>
  to.share ? to.share(['coverage', scan], () => queries.coverageOf({ clickhouse: to.clickhouse }, scan)) : queries.coverageOf(to, scan);

const totalsOnly = async (totals: Promise<Values>): Promise<Series> => ({ totals: await totals, byStep: new Map() });

function bucketsOf(range: Range, plan: Plan, series: Series, now: number, empty: Values): Bucket[] {
  return stepsOf(range, plan.gran).map((step) => ({ ...step, open: step.end > now, values: series.byStep.get(step.start) ?? empty }));
}

function shareOf(values: Values, measure: ReportAsked['sort'], total: number | null): number | null {
  const value = values[measure];
  return measureTable[measure].kind !== 'count' || value === null || !total ? null : value / total;
}
