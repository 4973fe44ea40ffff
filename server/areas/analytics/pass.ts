import { bucketKeys } from '../../../contract/analytics/schemas';
import type { DimensionId, Values } from '../../../contract/analytics/schemas';
import type { Dimension } from './dimensions';
import { populationSql } from './filters';
import { isCounted, measureColumns, measuresWith, nothingOf, sumOfSlices, sumsOf, valuesOf, withDays } from './measures';
import type { Counted, MeasureGroup, MeasureRow } from './measures';
import { runQuery, setsOf } from './queries';
import type { QueryContext, Counting, Coverage, KeyedRow, RowsQuery, Series } from './queries';
import { dayEdges } from './range';
import type { Range } from './range';
import { dimensionIn, slicesOf } from './slices';
import type { Scan } from './slices';

/** Result of one pass over the visits of a scan. `rows`: all rows of the requested dimensions, unordered. */
export type Pass = { readonly series: Series; readonly coverage: Coverage; readonly rows: ReadonlyMap<DimensionId, readonly KeyedRow[]> };

type Level = MeasureRow & { readonly kind: number; readonly own_step: string; readonly own_key: string; readonly begun: number; readonly newest: number };

/** Visits outside the population, as parts of the first level; parts from 1 on are the counted visits, one part per dimension. */
const others = { suspected: -1, bots: -2 } as const;
/** Kinds of rows of the second level; 2 is the first dimension, 3 the second, and so on. */
const kinds = { total: 0, day: 1, rows: 2 } as const;

/**
 * Totals, days, the visits outside the population, and all rows of some low-cardinality dimensions, in a single read of the visits. The first level counts by
 * dimension, key and day, where each set of visitors is small; the second level aggregates: distinct visitors of rows and of all days are merged, daily counts
 * are added.
 */
export async function passOf(
  to: QueryContext,
  scan: Scan,
  range: Range,
  counting: Counting,
  groups: readonly MeasureGroup[],
  dimensions: readonly DimensionId[],
): Promise<Pass> {
  const days = dayEdges(range);
  const keys = dimensions.length > 0 ? dimensions.map((id) => dimensionIn(scan, id).sql) : ["''"];
  const population = (who: Scan['who']): string => populationSql(who, scan.score);
  const whose = `multiIf(${population(scan.who)}, 0, ${population('suspected')}, ${others.suspected}, ${population('bots')}, ${others.bots}, 1)`;
  // One array of keys, as in rollups, together with the visit's population.
  const by: Dimension = { level: 'visit', sql: `(${whose}, [${keys.join(', ')}])`, label: { zh: '', en: '' }, unknown: { zh: '', en: '' } };
  const slices = slicesOf({ ...scan, who: 'all' }, days, by, groups);
  const { stateIf, merge, mergeIf } = setsOf(counting);
  const several = dimensions.length > 1;
  const sums = [...sumsOf(measuresWith(groups))];
  const first = `SELECT if(whose = 0, toInt32(dim), whose) AS part, if(part > 0, one_key, '') AS own, if(part > 0, step, 0) AS day,
      ${sums.map((id) => `${sumOfSlices(id)} AS s_${id}`).join(', ')}, sum(starts) AS n_begun, max(start_ms + span) AS n_newest,
      ${stateIf}(visitor_id, whose = 0 AND ${isCounted.visitor_id}) AS visitor_set, ${stateIf}(ip_key, whose = 0 AND ${isCounted.ip_key}) AS ip_set
    FROM (SELECT *, tupleElement(row_key, 1) AS whose, tupleElement(row_key, 2) AS row_keys${several ? '' : ', row_keys[1] AS one_key, 1 AS dim'} FROM (${slices.sql}) WHERE whose <= 0)
    ${several ? 'ARRAY JOIN row_keys AS one_key, arrayEnumerate(row_keys) AS dim WHERE whose = 0 OR dim = 1' : ''}
    GROUP BY part, own, day`;
  const kindsOf = `multiIf(part < 0, [part], part > 1, [part + 1], [${kinds.total}, ${kinds.day}${dimensions.length > 0 ? `, ${kinds.rows}` : ''}])`;
  const set = (column: string): string => `${column === 'visitor_id' ? 'visitor' : 'ip'}_set`;
  const counted: Counted = {
    sum: (id) => `sum(s_${id})`,
    once: (column) => `${merge}(${set(column)})`,
    // Days are added; within one day, the sets of several keys are merged. Visitors are always merged.
    daily: (column) =>
      `if(kind = ${kinds.day}, ${column === 'visitor_id' ? `${merge}(${set(column)})` : `${mergeIf}(${set(column)}, kind = ${kinds.day})`}, sum(${set(column)}_size))`,
  };
  const rows = await runQuery<Level>(
    to,
    `SELECT kind, toString(if(kind = ${kinds.day}, day, 0)) AS own_step, if(kind >= ${kinds.rows}, own, '') AS own_key,
      toFloat64(sum(n_begun)) AS begun, toFloat64(max(n_newest)) AS newest, ${measureColumns(counted, groups)}
    FROM (SELECT *, finalizeAggregation(visitor_set) AS visitor_set_size, finalizeAggregation(ip_set) AS ip_set_size FROM (${first}))
    ARRAY JOIN CAST(${kindsOf}, 'Array(Int32)') AS kind
    GROUP BY kind, own_step, own_key`,
    { ...slices.params, days },
  );

  const of = (kind: number): Level[] => rows.filter((row) => row.kind === kind);
  const [total] = of(kinds.total);
  const byStep = new Map(of(kinds.day).map((row): [number, Values] => [Number(row.own_step), valuesOf(row)]));
  return {
    series: { totals: withDays(total ? valuesOf(total) : nothingOf(groups), [...byStep.values()]), byStep },
    coverage: { freshTo: total?.newest ?? null, suspected: of(others.suspected)[0]?.begun ?? 0, bots: of(others.bots)[0]?.begun ?? 0 },
    rows: new Map(dimensions.map((id, index) => [id, of(kinds.rows + index).map((row) => ({ key: row.own_key, values: valuesOf(row) }))])),
  };
}

/** A page of rows that are all in memory, in the same order as `rowsOf`. */
export function pageOf(all: readonly KeyedRow[], { by, sort, dir, byKey, page, size, axis: ownAxis }: RowsQuery): { rows: KeyedRow[]; count: number } {
  const sign = dir === 'asc' ? 1 : -1;
  const bytes = (a: KeyedRow, b: KeyedRow): number => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
  const axis: readonly string[] | null = ownAxis ?? (by in bucketKeys ? bucketKeys[by as keyof typeof bucketKeys] : null);
  const order = (a: KeyedRow, b: KeyedRow): number => {
    if (byKey) return axis ? axis.indexOf(a.key) - axis.indexOf(b.key) : sign * bytes(a, b);
    const [x, y] = [a.values[sort], b.values[sort]];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || bytes(a, b);
    return sign * (x - y) || bytes(a, b);
  };
  return { rows: all.toSorted(order).slice((page - 1) * size, page * size), count: all.length };
}
