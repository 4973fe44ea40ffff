import type { ClickHouse } from '../../../stores/clickhouse/types';
import { DAY, HOUR, addDays, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { maxSpanMs } from '../../../collect/visits';
import { hash64 } from './definition';

/**
 * A cell counts only when its computing began so many ms after the last change below it. An insert is stamped before its rows can be seen; it may take as
 * long as the longest statement that writes visits (two minutes by the client's limit), so five minutes later nothing stamped earlier can still appear.
 */
export const SETTLE_MS = 5 * 60_000;

/** A computed day. `begun`: epoch µs, clock of ClickHouse; `basis`: a hash of this and all earlier generations. */
export type Computed = {
  readonly day: Day;
  readonly generation: string;
  readonly begun: number;
  readonly basis: string;
  readonly newest: number;
  readonly suspected: number;
  readonly bots: number;
};

/** What is stored for a site under one definition. */
export type State = {
  readonly days: ReadonlyMap<Day, Computed>;
  /** Whether nothing has changed below a computed day since. */
  readonly fresh: (day: Day) => boolean;
  /** Whether a day that is computed from now on (epoch µs, clock of ClickHouse) will be fresh. */
  readonly settled: (day: Day, now: number) => boolean;
};

type DayRow = { day: Day; generation: string; newest: string; suspected: string; bots: string };
type ChangeRow = { hour: number; changed: number };

/** Reads what is computed and what has changed since. `settleMs` is `SETTLE_MS` but in tests. */
export async function readState(ch: Pick<ClickHouse, 'query'>, siteId: string, definition: string, zone: string, settleMs: number): Promise<State> {
  const rows = await ch.query<DayRow>(
    `SELECT toString(day) AS day, toString(generation) AS generation, toString(toUnixTimestamp64Milli(newest)) AS newest, toString(suspected) AS suspected, toString(bots) AS bots
    FROM rollup_days WHERE site_id = {siteId:String} AND definition = {definition:UInt64} ORDER BY rollup_days.day, rollup_days.generation DESC LIMIT 1 BY rollup_days.day`,
    { params: { siteId, definition } },
  );
  const days = new Map<Day, Computed>();
  let basis = '0';
  let oldest = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    basis = hash64(`${basis} ${row.day} ${row.generation}`);
    const begun = Number(BigInt(row.generation) / 1000n);
    oldest = Math.min(oldest, begun);
    days.set(row.day, { ...row, basis, begun, newest: Number(row.newest), suspected: Number(row.suspected), bots: Number(row.bots) });
  }
  const changes = await ch.query<ChangeRow>(
    `SELECT toFloat64(toUnixTimestamp(one_hour)) * 1000 AS hour, toFloat64(toUnixTimestamp64Micro(latest)) AS changed
    FROM (SELECT hour AS one_hour, max(rollup_changes.changed) AS latest FROM rollup_changes WHERE site_id = {siteId:String} GROUP BY hour)
    WHERE toUnixTimestamp64Micro(latest) > {since:Int64}`,
    { params: { siteId, since: Number.isFinite(oldest) ? oldest - settleMs * 1000 : 0 } },
  );
  const changed = new Map(changes.map((change) => [change.hour, change.changed]));
  const anywhere = changed.get(0) ?? 0;

  /** Visits counted on a day began on it or within the longest visit before it. */
  function unchanged(day: Day, limit: number): boolean {
    if (anywhere > limit) return false;
    if (changed.size === 0) return true;
    const start = dayStart(day, zone) - maxSpanMs;
    const end = dayStart(addDays(day, 1), zone);
    for (let hour = Math.floor(start / HOUR) * HOUR; hour < end; hour += HOUR) if ((changed.get(hour) ?? 0) > limit) return false;
    return true;
  }
  const settled = (day: Day, now: number): boolean => unchanged(day, now - settleMs * 1000);
  const fresh = (day: Day): boolean => {
    const computed = days.get(day);
    return computed !== undefined && settled(day, computed.begun);
  };
  return { days, fresh, settled };
}

/** Days from `first` to `last`, both included. */
export function daysBetween(first: Day, last: Day): Day[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
}
