import { HOUR, addDays, dayAt, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { maxSpanMs } from '../../../collect/visits';
import type { ClickHouse } from '../../../stores/clickhouse/types';
import { computeCells, computeLinks, newGeneration, publishDay, storeClock } from './compute';
import type { RollupSite } from './compute';
import { definitionOf } from './definition';
import { SETTLE_MS, daysBetween, readState } from './state';
import type { State } from './state';

/** Days kept computed: the longest range plus its comparison one year earlier. */
const DAYS_KEPT = 1096 + 366;

export type RecomputeOptions = {
  /** Epoch ms; the current day in the site's zone is not computed before it ends. */
  readonly now: number;
  readonly settleMs?: number;
  /** Days before today to keep computed; reports never need more than `DAYS_KEPT`. */
  readonly keepDays?: number;
  /** Called before each step: false ends the run; completed steps are kept. */
  readonly goOn?: () => boolean;
};

/**
 * Computes the missing and changed days of a site, then all missing links. Returns the number of days computed. Newest days come first: a report needs every
 * day of its range, and most ranges end today. Links are computed from the oldest on, because each depends on the days before it. Several processes may run
 * this at once: generations keep their cells apart, and the newest one is used.
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
    if (before.fresh(day) || !before.isSettled(day, clock)) continue;
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

/** No visit begins on the day or close enough before it to reach into it, so an empty generation is published without computing. */
function isEmpty(hours: ReadonlySet<number>, day: Day, zone: string): boolean {
  const end = dayStart(addDays(day, 1), zone);
  for (let hour = Math.floor((dayStart(day, zone) - maxSpanMs) / HOUR) * HOUR; hour < end; hour += HOUR) if (hours.has(hour)) return false;
  return true;
}

/** The tables that contain cells by generation. */
const cellTables = ['rollup_totals', 'rollup_rows', 'rollup_visitors'] as const;
/** After this many ms, no process is still computing a generation that began, or reading one that was replaced, before then. */
const GONE_AFTER_MS = 3_600_000;

/** Deletes cells that were replaced, belong to an older definition or were never published. Returns the number of deleted generations. */
export async function sweepSite(ch: ClickHouse, site: RollupSite, goneAfterMs = GONE_AFTER_MS): Promise<number> {
  const definition = definitionOf(site.zone, site.score);
  const state = await readState(ch, site.id, definition, site.zone, 0);
  const params = {
    siteId: site.id,
    before: (BigInt((await storeClock(ch)) - goneAfterMs * 1000) * 1000n).toString(),
    current: [...state.days.values()].map((one) => BigInt(one.generation)),
    bases: [...state.days.values()].map((one) => BigInt(one.basis)),
  };
  const gone = 'site_id = {siteId:String} AND generation < {before:UInt64} AND NOT has({current:Array(UInt64)}, generation)';
  const [found] = await ch.query<{ n: string }>(
    `SELECT uniqExact(generation) AS n FROM (${[...cellTables, 'rollup_days'].map((table) => `SELECT DISTINCT generation FROM ${table} WHERE ${gone}`).join(' UNION ALL ')})`,
    { params },
  );
  if (Number(found?.n ?? 0) === 0) return 0;
  for (const table of [...cellTables, 'rollup_days']) await ch.command(`DELETE FROM ${table} WHERE ${gone}`, { params });
  await ch.command('DELETE FROM rollup_links WHERE site_id = {siteId:String} AND NOT has({bases:Array(UInt64)}, basis)', { params });
  return Number(found?.n ?? 0);
}
