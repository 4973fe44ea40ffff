import type { ClickHouse } from '../../../stores/clickhouse/types';
import { DAY, HOUR, addDays, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { maxSpanMs } from '../../../collect/visits';
import { hash64 } from './definition';

/**
 * A cell is valid only if its computation began this many ms after the last change of its visits. An insert is timestamped before its rows become visible; it
 * may take as long as the longest statement that writes visits (two minutes by the client's limit), so after five minutes no row with an earlier timestamp can
 * still appear.
 */
export const SETTLE_MS = 5 * 60_000;

/** A computed day. `begun`: epoch µs of the ClickHouse clock; `basis`: a hash of this and all earlier generations. */
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
  /** Whether the visits of a computed day have not changed since. */
  readonly fresh: (day: Day) => boolean;
  /** Whether a day whose computation begins now (`now`: epoch µs of the ClickHouse clock) will be fresh. */
  readonly isSettled: (day: Day, now: number) => boolean;
};

/** Day, generation, newest (ms), suspected, bots. */
type DayRow = readonly [Day, string, number, number, number];

/**
 * Reads the computed days and later changes in parallel; a change made after this call began is seen by the next call. One row of arrays each, because every
 * report reads them. `settleMs` is `SETTLE_MS` except in tests.
 */
export async function readState(ch: Pick<ClickHouse, 'query'>, siteId: string, definition: string, zone: string, settleMs: number): Promise<State> {
  const params = { siteId, definition, settle: settleMs * 1000 };
  const ofSite = 'rollup_days WHERE site_id = {siteId:String} AND definition = {definition:UInt64}';
  const [[stored], [changes]] = await Promise.all([
    ch.query<{ days: readonly DayRow[] }>(
      `SELECT groupArray((toString(day), toString(generation), toFloat64(toUnixTimestamp64Milli(newest)), toFloat64(suspected), toFloat64(bots))) AS days FROM ${ofSite}`,
      { params },
    ),
    // Changes older than every computed day are irrelevant.
    ch.query<{ hours: readonly number[]; latest: readonly number[] }>(
      `SELECT groupArray(toUnixTimestamp(hour)) AS hours, groupArray(toFloat64(toUnixTimestamp64Micro(changed))) AS latest FROM rollup_changes
      WHERE site_id = {siteId:String} AND toUnixTimestamp64Micro(changed) > (SELECT toInt64(intDiv(min(generation), 1000)) FROM ${ofSite}) - {settle:Int64}`,
      { params },
    ),
  ]);
  const newest = new Map<Day, DayRow>();
  for (const row of stored?.days ?? []) {
    const other = newest.get(row[0]);
    if (!other || BigInt(row[1]) > BigInt(other[1])) newest.set(row[0], row);
  }
  const days = new Map<Day, Computed>();
  let basis = '0';
  for (const [day, generation, ...rest] of [...newest.values()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    basis = hash64(`${basis} ${day} ${generation}`);
    days.set(day, { day, generation, basis, begun: Number(BigInt(generation) / 1000n), newest: rest[0], suspected: rest[1], bots: rest[2] });
  }
  // Unmerged parts contain several rows for an hour; the latest change applies.
  const changed = new Map<number, number>();
  for (const [index, hour] of (changes?.hours ?? []).entries()) {
    changed.set(hour * 1000, Math.max(changed.get(hour * 1000) ?? 0, changes?.latest[index] ?? 0));
  }
  const anywhere = changed.get(0) ?? 0;

  /** Visits counted on a day began on it or at most one maximum visit length before it. */
  function unchanged(day: Day, limit: number): boolean {
    if (anywhere > limit) return false;
    if (changed.size === 0) return true;
    const start = dayStart(day, zone) - maxSpanMs;
    const end = dayStart(addDays(day, 1), zone);
    for (let hour = Math.floor(start / HOUR) * HOUR; hour < end; hour += HOUR) if ((changed.get(hour) ?? 0) > limit) return false;
    return true;
  }
  const isSettled = (day: Day, now: number): boolean => unchanged(day, now - settleMs * 1000);
  const fresh = (day: Day): boolean => {
    const computed = days.get(day);
    return computed !== undefined && isSettled(day, computed.begun);
  };
  return { days, fresh, isSettled };
}

/** Days from `first` to `last`, both included. */
export function daysBetween(first: Day, last: Day): Day[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
}
