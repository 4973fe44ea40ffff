import { HOUR, addDays, dayAt, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { maxSpanMs } from '../../../collect/visits';
import type { ClickHouse } from '../../../stores/clickhouse/types';
import { computeCells, computeLinks, newGeneration, publishDay, storeClock } from './compute';
import type { RollupSite } from './compute';
import { definitionOf } from './definition';
import { SETTLE_MS, daysBetween, readState } from './state';
import type { State } from './state';

/** Days kept computed: the longest range and its comparison of a year before. */
const DAYS_KEPT = 1096 + 366;

export type RecomputeOptions = {
  /** Epoch ms; its day in the site's zone is not over and is left out. */
  readonly now: number;
  readonly settleMs?: number;
  /** Days before today to keep computed; more than `DAYS_KEPT` no report can ask for. */
  readonly keepDays?: number;
  /** Called before each step: false ends the run, what has been done stays. */
  readonly goOn?: () => boolean;
};

/**
 * Computes days of a site that are missing or have changed, then the links of all that lack them. Answers the number of days computed. Newest days
 * first: reports need every day of their range, and the ranges that people look at end today. Links go from the oldest on, each counts the days before it.
 * Any number of processes may do this at once: generations keep them apart, and the newer one counts.
 */
export async function recomputeSite(ch: ClickHouse, site: RollupSite, options: RecomputeOptions): Promise<number> {
  const { now, settleMs = SETTLE_MS, keepDays = DAYS_KEPT, goOn = () => true } = options;
  const definition = definitionOf(site.zone, site.score);
  const hours = await hoursOf(ch, site.id);
  const [firstHour] = hours;
  if (firstHour === undefined) return 0;
  const first = dayAt(firstHour, site.zone);
  const yesterday = addDays(dayAt(now, site.zone), -1);
  const oldest = addDays(yesterday, 1 - keepDays);
  const clock = await storeClock(ch);
  const before = await readState(ch, site.id, definition, site.zone, settleMs);
  let computed = 0;
  for (const day of daysBetween(first > oldest ? first : oldest, yesterday).toReversed()) {
    if (before.fresh(day) || !before.settled(day, clock)) continue;
    if (!goOn()) return computed;
    await publishDay(ch, site, definition, day, isEmpty(hours, day, site.zone) ? await newGeneration(ch) : await computeCells(ch, site, day));
    computed += 1;
  }
  await linkDays(ch, site, await readState(ch, site.id, definition, site.zone, settleMs), goOn);
  return computed;
}

async function linkDays(ch: ClickHouse, site: RollupSite, state: State, goOn: () => boolean): Promise<void> {
  const rows = await ch.query<{ basis: string }>('SELECT DISTINCT toString(basis) AS basis FROM rollup_links WHERE site_id = {siteId:String}', {
    params: { siteId: site.id },
  });
  const linked = new Set(rows.map((row) => row.basis));
  const days = [...state.days.values()];
  for (const [index, one] of days.entries()) {
    if (linked.has(one.basis)) continue;
    if (!goOn()) return;
    await computeLinks(ch, site.id, days.slice(0, index + 1));
  }
}

/** Hours (epoch ms) in which visits of the site begin, in order. */
async function hoursOf(ch: ClickHouse, siteId: string): Promise<ReadonlySet<number>> {
  const rows = await ch.query<{ hour: number }>(
    'SELECT toFloat64(toUnixTimestamp(toStartOfHour(start))) * 1000 AS hour FROM visits WHERE site_id = {siteId:String} GROUP BY hour ORDER BY hour',
    { params: { siteId } },
  );
  return new Set(rows.map((row) => row.hour));
}

/** No visit begins on the day or near enough to reach into it: there is nothing to compute, and that is what its generation says. */
function isEmpty(hours: ReadonlySet<number>, day: Day, zone: string): boolean {
  const end = dayStart(addDays(day, 1), zone);
  for (let hour = Math.floor((dayStart(day, zone) - maxSpanMs) / HOUR) * HOUR; hour < end; hour += HOUR) if (hours.has(hour)) return false;
  return true;
}

/** Tables of cells, by generation. */
const cellTables = ['rollup_totals', 'rollup_rows', 'rollup_visitors'] as const;
/** Nobody still computes a generation that began so many ms ago, or reads one that was replaced then. */
const GONE_AFTER_MS = 3_600_000;

/** Deletes cells that were replaced, belong to an older definition or were never published. Answers how many generations went. */
export async function sweepSite(ch: ClickHouse, site: RollupSite, goneAfterMs = GONE_AFTER_MS): Promise<number> {
  const definition = definitionOf(site.zone, site.score);
  const state = await readState(ch, site.id, definition, site.zone, 0);
  const params = {
    siteId: site.id,
    before: (BigInt((await storeClock(ch)) - goneAfterMs * 1000) * 1000n).toString(),
    kept: [...state.days.values()].map((one) => BigInt(one.generation)),
    bases: [...state.days.values()].map((one) => BigInt(one.basis)),
  };
  const gone = 'site_id = {siteId:String} AND generation < {before:UInt64} AND NOT has({kept:Array(UInt64)}, generation)';
  const [found] = await ch.query<{ n: string }>(
    `SELECT uniqExact(generation) AS n FROM (${[...cellTables, 'rollup_days'].map((table) => `SELECT DISTINCT generation FROM ${table} WHERE ${gone}`).join(' UNION ALL ')})`,
    { params },
  );
  if (Number(found?.n ?? 0) === 0) return 0;
  for (const table of [...cellTables, 'rollup_days']) await ch.command(`DELETE FROM ${table} WHERE ${gone}`, { params });
  await ch.command('DELETE FROM rollup_links WHERE site_id = {siteId:String} AND NOT has({bases:Array(UInt64)}, basis)', { params });
  return Number(found?.n ?? 0);
}
