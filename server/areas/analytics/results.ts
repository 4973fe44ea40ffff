import type { DimensionId, Granularity, MeasureId, Values } from '../../../contract/analytics/schemas';
import { dimensionTable, hasFewKeys } from './dimensions';
import type { MeasureGroup } from './measures';
import { pageOf, passOf } from './pass';
import type { Pass } from './pass';
import * as queries from './queries';
import type { QueryContext, Counting, Coverage, KeyedRow, RowsQuery, Series } from './queries';
import type { Range } from './range';
import { rolledOf } from './rollup';
import type { RolledSeries, RollupOptions } from './rollup';
import { createShare } from './share';
import type { Scan } from './slices';

/** `error`: relative standard error of distinct visitors; null if they are exact. */
export type Estimated<T> = { readonly value: T; readonly error: number | null };

/** The queries of a report over one range, computed from rollups or from visits. */
export type Results = {
  readonly source: 'visits' | 'rollup';
  readonly totals: () => Promise<Estimated<Values>>;
  readonly series: (gran: Granularity) => Promise<Estimated<Series>>;
  readonly rows: (query: RowsQuery) => Promise<Estimated<{ readonly rows: readonly KeyedRow[]; readonly count: number }>>;
  /** The values of the given rows. */
  readonly some: (by: DimensionId, keys: readonly string[], only?: readonly MeasureId[]) => Promise<Estimated<ReadonlyMap<string, Values>>>;
  readonly coverage: () => Promise<Coverage>;
};

export type ResultOptions = {
  readonly now: number;
  /** Overrides the number of visits above which distinct counts are sketched; used by tests. */
  readonly exactVisits?: number;
  /** `off`: only visits are read. */
  readonly rollup?: RollupOptions | 'off';
};
export type FiguresQuery = {
  readonly groups: readonly MeasureGroup[];
  readonly by?: DimensionId | undefined;
  /** Absent: no series will be requested. */
  readonly gran?: Granularity | undefined;
};

/** Chooses the source of the figures of a range. Both sources count the same slices, so the choice affects only the response time. */
export async function resultsFor(to: QueryContext, scan: Scan, range: Range, query: FiguresQuery, options: ResultOptions): Promise<Results> {
  const { groups } = query;
  /** Work shared by several tables of one screen; a client that disconnects must not cancel it for the others. */
  const shared = <T>(key: string, work: (to: QueryContext) => Promise<T>, waitMs?: number): Promise<T> =>
    to.share ? to.share([key, scan, range, groups], () => work({ clickhouse: to.clickhouse }), waitMs) : work(to);

  const rolled = options.rollup === 'off' ? null : await rolledOf(to, scan, range, { ...query, now: options.now }, options.rollup);
  if (rolled) {
    // No waiting: tables with the same query were already grouped when the stored days were read.
    const byDay = (): Promise<RolledSeries> => shared(`rolled days ${rolled.basis}`, (asking) => rolled.series(asking, 'day'), 0);
    return {
      source: 'rollup',
      totals: async () => {
        const { series, error } = await byDay();
        return { value: series.totals, error };
      },
      series: async (gran) => {
        const { series, error } = await (gran === 'day' ? byDay() : rolled.series(to, gran));
        return { value: series, error };
      },
      rows: async (rowsQuery) => {
        const rows = rolled.rows(to, rowsQuery.by, rowsQuery.only);
        return { value: await rows.page(rowsQuery), error: rows.error };
      },
      some: async (by, keys, only) => {
        const rows = rolled.rows(to, by, only);
        return { value: await rows.some(keys), error: rows.error };
      },
      coverage: () => shared(`rolled coverage ${rolled.basis}`, rolled.coverage, 0),
    };
  }

  // Queries over the same visits resume at the same moment, so that a single pass serves all of them.
  const stored = await shared('stored', (asking) => queries.estimateVisits(asking, scan));
  const counting: Counting = stored <= (options.exactVisits ?? queries.EXACT_VISITS) ? 'exact' : 'sketch';
  const error = counting === 'exact' ? null : queries.SKETCH_ERROR;
  const gathered = to.share ?? createShare();
  const asking: QueryContext = to.share ? { clickhouse: to.clickhouse } : to;
  const pass = (by: DimensionId | null = null): Promise<Pass> =>
    gathered.together(
      ['pass', counting, scan, range, groups],
      by,
      (dimensions) =>
        passOf(
          asking,
          scan,
          range,
          counting,
          groups,
          [...new Set(dimensions)].filter((id) => id !== null),
        ),
      0,
    );
  const inPass = (by: DimensionId | undefined): by is DimensionId => by !== undefined && hasFewKeys(by) && dimensionTable[by].level === 'visit';
  const rowsIn = (by: DimensionId, only?: readonly MeasureId[]): queries.RowSource => queries.rowsInVisits(scan, range, by, groups, counting, only);
  const onlyOtherSteps = query.gran !== undefined && query.gran !== 'day' && !inPass(query.by);
  return {
    source: 'visits',
    totals: async () => ({ value: (await pass()).series.totals, error }),
    series: async (gran) => ({ value: gran === 'day' ? (await pass()).series : await queries.seriesOf(to, scan, range, gran, counting, groups), error }),
    rows: async (rowsQuery) => {
      if (!inPass(rowsQuery.by)) return { value: await queries.rowsOf(to, rowsIn(rowsQuery.by, rowsQuery.only), rowsQuery), error };
      return { value: pageOf((await pass(rowsQuery.by)).rows.get(rowsQuery.by) ?? [], rowsQuery), error };
    },
    some: async (by, keys, only) => {
      if (!inPass(by)) return { value: await queries.rowsByKey(to, rowsIn(by, only), keys, groups), error };
      const rows = (await pass(by)).rows.get(by) ?? [];
      return { value: new Map(rows.filter(({ key }) => keys.includes(key)).map(({ key, values }) => [key, values])), error };
    },
    coverage: async () => (onlyOtherSteps ? shared('coverage', (one) => queries.coverageOf(one, scan)) : (await pass()).coverage),
  };
}
