import type { ClickHouse } from '../../../stores/clickhouse/types';
import { HOUR, addDays, dayStart } from '../../../zone';
import type { Day } from '../../../zone';

/** A day is valid only if its computation began this many ms after the last change of its values: an insert is timestamped before its rows become visible. */
export const settleMs = 5 * 60_000;

/** A computed day. `begun`: epoch µs of the ClickHouse clock. */
type Computed = { readonly generation: string; readonly begun: number };
export type State = {
  readonly days: ReadonlyMap<Day, Computed>;
  /** Whether the values of a computed day have not changed since. */
  readonly isFresh: (day: Day) => boolean;
  /** Whether a day whose computation begins now (`now`: epoch µs) will be fresh. */
  readonly isSettled: (day: Day, now: number) => boolean;
};

/** What is stored for a site in a time zone. */
export async function readState(ch: Pick<ClickHouse, 'query'>, siteId: string, zone: string, settle: number): Promise<State> {
  const params = { site: siteId, zone };
  const [stored, changes] = await Promise.all([
    ch.query<{ day: Day; generation: string }>(
      'SELECT toString(day) AS day, toString(max(generation)) AS generation FROM vital_days WHERE site_id = {site:String} AND zone = {zone:String} GROUP BY vital_days.day',
      { params },
    ),
    ch.query<{ hour: number; latest: number }>(
      `SELECT toFloat64(toUnixTimestamp(hour)) * 1000 AS hour, toFloat64(toUnixTimestamp64Micro(max(changed))) AS latest FROM vital_changes WHERE site_id = {site:String} GROUP BY vital_changes.hour`,
      { params },
    ),
  ]);
  const days = new Map(stored.map(({ day, generation }) => [day, { generation, begun: Number(BigInt(generation) / 1000n) }]));
  const changed = new Map(changes.map(({ hour, latest }) => [hour, latest]));
  const anywhere = changed.get(0) ?? 0;
  /** The time of a measurement differs by what its requests took when it is sent again, so that it may move over the end of a day. */
  function isSettled(day: Day, now: number): boolean {
    const limit = now - settle * 1000;
    if (anywhere > limit) return false;
    const first = Math.floor(dayStart(day, zone) / HOUR) - 1;
    const end = Math.ceil(dayStart(addDays(day, 1), zone) / HOUR) + 1;
    for (let hour = first; hour < end; hour += 1) if ((changed.get(hour * HOUR) ?? 0) > limit) return false;
    return true;
  }
  const isFresh = (day: Day): boolean => {
    const computed = days.get(day);
    return computed !== undefined && isSettled(day, computed.begun);
  };
  return { days, isFresh, isSettled };
}
