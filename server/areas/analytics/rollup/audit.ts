import { randomInt } from 'node:crypto';
import type { ClickHouse } from '../../../stores/clickhouse/types';
import type { Day } from '../../../zone';
import { computeCells, publishDay } from './compute';
import type { RollupSite } from './compute';
import { definitionOf } from './definition';
import { storedSums } from './schema';
import { SETTLE_MS, readState } from './state';

export type Drift = {
  readonly day: Day;
  /** Number of cells that differ; `samples` lists the first of them. */ readonly cells: number;
  readonly samples: readonly string[];
};

const columns = [...storedSums.map((id) => `s_${id}`), 'visitors', 'ips', 'finalizeAggregation(visitor_state)'].join(', ');

/**
 * Recomputes one fresh day and compares every cell with the stored one. Differences are reported, and the new cells replace the old ones. `day`: absent, a
 * random day. Null: no fresh day exists, the day changed in the meantime, or there is no difference.
 */
export async function auditSite(ch: ClickHouse, site: RollupSite, settleMs = SETTLE_MS, day?: Day): Promise<Drift | null> {
  const definition = definitionOf(site.zone, site.score);
  const state = await readState(ch, site.id, definition, site.zone, settleMs);
  const fresh = [...state.days.values()].filter((one) => state.fresh(one.day) && (day === undefined || one.day === day));
  const stored = fresh[fresh.length > 0 ? randomInt(fresh.length) : 0];
  if (!stored) return null;
  const generation = await computeCells(ch, site, stored.day);
  const after = await readState(ch, site.id, definition, site.zone, settleMs);
  if (!after.fresh(stored.day) || after.days.get(stored.day)?.generation !== stored.generation) return null;
  const both = 'site_id = {siteId:String} AND day = {day:Date} AND generation IN {generations:Array(UInt64)}';
  const different = await ch.query<{ cell: string; n: string }>(
    `SELECT cell, count() OVER () AS n FROM (
      SELECT concat(dimension, ' ', row_key) AS cell, uniqExact(${columns}) AS versions, count() AS found FROM rollup_rows WHERE ${both} GROUP BY cell
      UNION ALL SELECT concat('total ', toString(hourly), ' ', toString(step)) AS cell, uniqExact(${columns}) AS versions, count() AS found FROM rollup_totals WHERE ${both} GROUP BY cell
      UNION ALL SELECT concat('visitor ', toString(visitor_id)) AS cell, 1 AS versions, count() AS found FROM rollup_visitors WHERE ${both} GROUP BY cell
    ) WHERE versions != 1 OR found != 2 ORDER BY cell LIMIT 5`,
    { params: { siteId: site.id, day: stored.day, generations: [BigInt(stored.generation), BigInt(generation)] } },
  );
  if (different.length === 0) return null;
  await publishDay(ch, site, definition, stored.day, generation);
  return { day: stored.day, cells: Number(different[0]?.n ?? 0), samples: different.map((row) => row.cell) };
}
