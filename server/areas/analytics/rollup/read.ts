import type { DimensionId, Granularity, MeasureId } from '../../../../contract/analytics/schemas';
import { isAxis } from '../../../../contract/measuring/buckets';
import { addDays, dayStart } from '../../../zone';
import { dimensionTable, hasFewKeys } from '../dimensions';
import type { MeasureGroup } from '../measures';
import { coverageOf } from '../queries';
import type { Coverage, QueryContext } from '../queries';
import { dayEdges } from '../range';
import type { Range } from '../range';
import type { Scan } from '../slices';
import { cellParams, inCells, unionOf } from './cells';
import type { Parts, Union } from './cells';
import { definitionOf, isStored } from './definition';
import { rowsInCells } from './rows';
import type { CellRows, Cells } from './rows';
import { rowSketch } from './schema';
import { seriesOf } from './series';
import type { RolledSeries } from './series';
import { SETTLE_MS, daysBetween, readState } from './state';
import type { Computed, State } from './state';

/** So many days at the end of a range may be counted from visits while the others come from cells. */
const MOST_LIVE_DAYS = 4;

export type RollupOptions = { /** `SETTLE_MS`; tests lower it. */ readonly settleMs?: number };

export type Rolled = {
  /** Names the stored days that answer: two questions with the same have the same to go by. */
  readonly basis: string;
  /** Rows by a dimension. */
  readonly rows: (to: QueryContext, by: DimensionId, only?: readonly MeasureId[]) => CellRows;
  readonly series: (to: QueryContext, gran: Granularity) => Promise<RolledSeries>;
  readonly coverage: (to: QueryContext) => Promise<Coverage>;
};
/**
 * What can answer a question from cells, or null when visits must: under filters, for other populations than people, by minutes, for conversions,
 * and where most of the range is not computed or has changed since.
 */
export async function rolledOf(
  to: QueryContext,
  scan: Scan,
  range: Range,
  request: { readonly groups: readonly MeasureGroup[]; readonly by?: DimensionId | undefined; readonly gran?: Granularity | undefined; readonly now: number },
  options: RollupOptions = {},
): Promise<Rolled | null> {
  const { groups, by, gran, now } = request;
  if (scan.who !== 'humans' || scan.filters.visit !== '1' || scan.filters.mask !== null) return null;
  // Which cities are hidden depends on the range.
  if (by === 'city' && scan.cities) return null;
  // Cells are of the usual buckets.
  if (by !== undefined && isAxis(by) && scan.buckets) return null;
  // Events are counted in totals and in rows of events, see `storedSums`.
  const counts = groups.includes('goals');
  if (gran === 'minute' || (counts && scan.goals?.some === true) || (by !== undefined && !(isStored(by) && counts === (by === 'event')))) return null;
  const definition = definitionOf(scan.zone, scan.score);
  const read = (clickhouse: QueryContext['clickhouse']): Promise<State> =>
    readState(clickhouse, scan.siteId, definition, scan.zone, options.settleMs ?? SETTLE_MS);
  const state = await (to.share ? to.share(['rollup', scan.siteId, definition], () => read(to.clickhouse)) : read(to.clickhouse));
  const parts = partsOf(state, scan, range, now);
  return parts && rolledFigures(scan, range, groups, parts);
}

function partsOf(state: State, scan: Scan, range: Range, now: number): Parts | null {
  if (state.days.size === 0) return null;
  const days = daysBetween(range.from, range.to);
  const closed: Computed[] = [];
  for (const day of days) {
    const computed = state.days.get(day);
    if (!computed || dayStart(addDays(day, 1), range.zone) > scan.end || !state.fresh(day)) break;
    closed.push(computed);
  }
  if (closed.length === 0) return null;
  const from = days[closed.length];
  const start = from === undefined ? scan.end : dayStart(from, range.zone);
  if (from === undefined || start >= scan.end) return { closed, live: null };
  const liveRange: Range = { ...range, from, start };
  const edges = dayEdges(liveRange).filter((edge) => edge < scan.end);
  if (edges.filter((edge) => edge <= now).length > MOST_LIVE_DAYS) return null;
  return { closed, live: { scan: { ...scan, start }, range: liveRange, edges } };
}

function rolledFigures(scan: Scan, range: Range, groups: readonly MeasureGroup[], parts: Parts): Rolled {
  const params = cellParams(scan.siteId, range, parts.closed);
  const union = unionOf(parts.live, groups, params);
  return {
    basis: `${params.firstDay} ${params.lastDay} ${parts.closed.at(-1)?.basis ?? ''}`,
    rows: (to, by, only) => rowsBy(to, parts, groups, union, by, only),
    series: (to, gran) => seriesOf(to, { ...parts, range, params }, groups, union, gran),
    coverage: (to) => coverageOfParts(to, parts),
  };
}

function rowsBy(
  to: QueryContext,
  { closed, live }: Parts,
  groups: readonly MeasureGroup[],
  union: Union,
  by: DimensionId,
  only?: readonly MeasureId[],
): CellRows {
  const dimension = dimensionTable[by];
  const stored = `rollup_rows WHERE dimension = '${by}' AND ${inCells}`;
  const cells: Cells = ({ sums, withState, keys }) => {
    const { sql, params: of } = union(
      'row_key',
      stored,
      live?.edges ?? [],
      dimension,
      sums,
      withState ? rowSketch : null,
      keys ? 'row_key IN {keys:Array(String)}' : '1',
    );
    return { sql, params: keys ? { ...of, keys } : of };
  };
  return rowsInCells(to, cells, groups, { few: hasFewKeys(by), exact: closed.length === 1 && live === null, only });
}

async function coverageOfParts(to: QueryContext, { closed, live }: Parts): Promise<Coverage> {
  const counted = live ? await coverageOf(to, live.scan) : { freshTo: null, suspected: 0, bots: 0 };
  const newest = Math.max(counted.freshTo ?? 0, ...closed.map((one) => one.newest));
  const sum = (of: (one: Computed) => number): number => closed.reduce((total, one) => total + of(one), 0);
  return { freshTo: newest === 0 ? null : newest, suspected: counted.suspected + sum((one) => one.suspected), bots: counted.bots + sum((one) => one.bots) };
}
