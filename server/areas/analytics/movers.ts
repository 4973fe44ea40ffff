import type { DimensionId, Movers } from '../../../contract/analytics/schemas';
import { measureTable } from './measures';
import { runQuery, countedOver, countingOf } from './queries';
import type { QueryContext } from './queries';
import { dimensionIn, slicesOf } from './slices';
import type { Scan, Sql } from './slices';

const most = 10;
const none: Movers = { fresh: [], rising: [], falling: [] };

/** The same statement with prefixed parameter names, so that two statements can be combined in one. */
const renamed = ({ sql, params }: Sql, prefix: string): Sql => ({
  sql: sql.replaceAll(/\{(\w+):/g, (whole, name: string) => (Object.hasOwn(params, name) ? `{${prefix}${name}:` : whole)),
  params: Object.fromEntries(Object.entries(params).map(([name, value]) => [prefix + name, value])),
});

/**
 * Rows that differ most between two periods; `before` ends where a report's comparison ends (`Plan.compareUntil`). If nothing at all happened before, there is
 * nothing to compare with and no row counts as new.
 */
export async function moversOf(to: QueryContext, now: Scan, before: Scan, by: DimensionId, measure: 'visits' | 'visitors' | 'views'): Promise<Movers> {
  const [countNow, countBefore] = await Promise.all([countingOf(to, now), countingOf(to, before)]);
  const counting = countNow === 'exact' && countBefore === 'exact' ? 'exact' : 'sketch';
  const amount = `toInt64(${measureTable[measure].sql(countedOver(counting, [now.start]))})`;
  const one = renamed(slicesOf(now, [now.start], dimensionIn(now, by)), 'now_');
  const other = renamed(slicesOf(before, [before.start], dimensionIn(before, by)), 'before_');
  const rows = await runQuery<{ kind: keyof Movers; key: string; now: number; before: number }>(
    to,
    `SELECT kind, row_key AS key, toFloat64(now) AS now, toFloat64(before) AS before FROM (
      SELECT row_key, sum(now_n) AS now, sum(before_n) AS before, sum(sum(before_n)) OVER () AS all_before,
        multiIf(before = 0, 'fresh', now > before, 'rising', 'falling') AS kind
      FROM (
        SELECT row_key, ${amount} AS now_n, toInt64(0) AS before_n FROM (${one.sql}) GROUP BY row_key
        UNION ALL
        SELECT row_key, toInt64(0) AS now_n, ${amount} AS before_n FROM (${other.sql}) GROUP BY row_key
      ) GROUP BY row_key
    )
    WHERE now != before AND all_before > 0
    ORDER BY kind, abs(now - before) DESC, row_key LIMIT ${most} BY kind`,
    { ...one.params, ...other.params },
  );
  return rows.reduce<Movers>((all, { kind, ...row }) => ({ ...all, [kind]: [...all[kind], row] }), none);
}
