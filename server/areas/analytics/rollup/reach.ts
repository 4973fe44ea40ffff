import { dayNumber, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { runQuery } from '../queries';
import type { QueryContext } from '../queries';
import type { Range } from '../range';
import { activeVisitors, slicesOf, stepIn } from '../slices';
import { inCells } from './cells';
import type { CellParams, LivePart, Parts } from './cells';
import { daysBetween } from './state';

/** The days whose visitors are counted together. */
export type VisitorDays = Parts & { readonly range: Range; readonly params: CellParams };

/** What is to be added to the visitors of live days alone to have those of the range (key 0) and of its steps (by their beginning), exactly; null while the links of a day are missing. */
export async function reach(to: QueryContext, days: VisitorDays, beginnings: readonly number[]): Promise<ReadonlyMap<number, number> | null> {
  const { range, closed, params } = days;
  const stepDays = daysOf(beginnings, range);
  const [links, known] = await Promise.all([
    runQuery<{ one_day: Day; total: string; in_step: string }>(
      to,
      `SELECT toString(day) AS one_day, sumIf(n, prev < {firstDay:Date}) AS total, sumIf(n, toUInt16(prev) < roundDown(toUInt16(day), {stepDays:Array(UInt16)})) AS in_step
      FROM (SELECT day, prev, any(visitors) AS n FROM rollup_links
        WHERE site_id = {site:String} AND day BETWEEN {firstDay:Date} AND {lastDay:Date} AND basis IN {bases:Array(UInt64)} GROUP BY day, basis, prev)
      GROUP BY day`,
      { ...params, bases: closed.map((one) => BigInt(one.basis)), stepDays: stepDays.map((day) => dayNumber(day)) },
    ),
    knownBefore(to, days, beginnings, stepDays),
  ]);
  if (links.length !== closed.length) return null;
  const reached = new Map<number, number>(known);
  const add = (key: number, n: number): void => void reached.set(key, (reached.get(key) ?? 0) + n);
  for (const { one_day: day, total, in_step: inStep } of links) {
    add(0, Number(total));
    const at = dayStart(day, range.zone);
    const step = beginnings.findLast((beginning) => beginning <= at);
    if (step !== undefined) add(step, Number(inStep));
  }
  return reached;
}

/** Visitors of the live days who were there on the computed days of the range, or of their step, already: taken off (below 0). */
async function knownBefore(
  to: QueryContext,
  { live, params }: VisitorDays,
  beginnings: readonly number[],
  stepDays: readonly Day[],
): Promise<ReadonlyMap<number, number>> {
  if (!live) return new Map();
  const visitors = activeVisitors(live.scan);
  const straddles = beginnings.findLastIndex((beginning) => beginning <= live.scan.start);
  const straddled = beginnings[straddles];
  // Names are spread evenly: looking them up in the index takes time and leaves nothing out.
  const [known] = await runQuery<{ total: string; in_step: string }>(
    to,
    `SELECT uniqExact(visitor_id) AS total, uniqExactIf(visitor_id, day >= {stepDay:Date}) AS in_step FROM rollup_visitors
    WHERE ${inCells} AND visitor_id IN (${visitors.sql})
    SETTINGS use_index_for_in_with_subqueries = 0`,
    { ...visitors.params, ...params, stepDay: stepDays[straddles] ?? params.firstDay },
  );
  const alreadyCounted = new Map([[0, -Number(known?.total ?? 0)]]);
  if (straddled !== undefined) alreadyCounted.set(straddled, -Number(known?.in_step ?? 0));
  return alreadyCounted;
}

/** Distinct visitors of the live days by the step they fall into, and of all of them (key 0). */
export async function liveVisitors(to: QueryContext, live: LivePart | null, beginnings: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (!live) return new Map();
  const slices = slicesOf(live.scan, live.edges, null);
  const rows = await runQuery<{ key: string; n: string }>(
    to,
    `SELECT ${stepIn('buckets', 'step')} AS key, uniqExact(visitor_id) AS n FROM (${slices.sql}) WHERE active GROUP BY ROLLUP(key)`,
    { ...slices.params, buckets: beginnings },
  );
  return new Map(rows.map((row) => [Number(row.key), Number(row.n)]));
}

/** Days that begin at the given instants. */
function daysOf(beginnings: readonly number[], range: Range): Day[] {
  const byStart = new Map(daysBetween(range.from, range.to).map((day) => [dayStart(day, range.zone), day]));
  return beginnings.map((beginning) => byStart.get(beginning) ?? range.from);
}
