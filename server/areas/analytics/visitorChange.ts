import type { DimensionId, Population } from '../../../contract/analytics/schemas';
import type { Context } from '../../context';
import type { Dimension } from './dimensions';
import { runQuery } from './queries';
import type { QueryContext } from './queries';
import type { ReportSite } from './report';
import { scanOf, scopeFor } from './scope';
import { dimensionIn, slicesOf } from './slices';
import type { Scan } from './slices';

/** Instants in epoch ms, [start, end). */
export type Span = { readonly start: number; readonly end: number };
type Pair = { readonly now: number; readonly before: number };
export type VisitorChange = {
  readonly visitors: Pair;
  /** Every visitor once in each dimension: `key` is that of their first visit in the span. */
  readonly rows: readonly (Pair & { readonly dimension: DimensionId; readonly key: string })[];
  /** Visits that no report of people counts. */
  readonly bots: Pair;
  readonly suspected: Pair;
};

type Counted = { readonly dim: number; readonly key: string; readonly visitors: number };

/** Visitors of a span by several dimensions at once. */
async function divide(to: QueryContext, scan: Scan, dimensions: readonly DimensionId[]): Promise<readonly Counted[]> {
  const keys: Dimension = {
    level: 'visit',
    sql: `[${dimensions.map((id) => `toString(${dimensionIn(scan, id).sql})`).join(', ')}]`,
    label: { zh: '', en: '' },
    unknown: { zh: '', en: '' },
  };
  const { sql, params } = slicesOf(scan, [scan.start], keys);
  return runQuery<Counted>(
    to,
    `SELECT toInt32(dim) AS dim, key, toFloat64(count()) AS visitors
    FROM (SELECT visitor_id, argMin(row_key, start_ms) AS row_keys FROM (${sql}) WHERE active GROUP BY visitor_id)
    ARRAY JOIN row_keys AS key, arrayEnumerate(row_keys) AS dim GROUP BY dim, key`,
    params,
  );
}

async function countVisits(to: QueryContext, scan: Scan): Promise<number> {
  const { sql, params } = slicesOf(scan, [scan.start], null);
  return (await runQuery<{ visits: number }>(to, `SELECT toFloat64(sum(starts)) AS visits FROM (${sql})`, params))[0]?.visits ?? 0;
}

/**
 * How the number of visitors of one span differs from that of another, divided by each of `dimensions` (of visits). In every dimension the rows add up to the
 * visitors that reports count.
 */
export async function visitorChange(ctx: Context, site: ReportSite, now: Span, before: Span, dimensions: readonly DimensionId[]): Promise<VisitorChange> {
  const to = { clickhouse: ctx.clickhouse };
  const scope = await scopeFor(ctx, site, { filter: [], who: 'humans', segment: [] }, null);
  const scanIn = (span: Span, who: Population): Scan => scanOf(site, { filter: [], who }, scope, span);
  const visits = async (who: Population): Promise<Pair> => {
    const [a, b] = await Promise.all([countVisits(to, scanIn(now, who)), countVisits(to, scanIn(before, who))]);
    return { now: a, before: b };
  };
  const [ofNow, ofBefore, bots, suspected] = await Promise.all([
    divide(to, scanIn(now, 'humans'), dimensions),
    divide(to, scanIn(before, 'humans'), dimensions),
    visits('bots'),
    visits('suspected'),
  ]);
  const rows = dimensions.flatMap((dimension, index) => {
    const found = new Map<string, { now: number; before: number }>();
    const add = (counted: readonly Counted[], side: 'now' | 'before'): void => {
      for (const { dim, key, visitors } of counted) {
        if (dim !== index + 1) continue;
        const row = found.get(key) ?? { now: 0, before: 0 };
        row[side] = visitors;
        found.set(key, row);
      }
    };
    add(ofNow, 'now');
    add(ofBefore, 'before');
    return [...found].map(([key, pair]) => ({ dimension, key, ...pair }));
  });
  const total = (side: 'now' | 'before'): number => rows.reduce((sum, row) => sum + (row.dimension === dimensions[0] ? row[side] : 0), 0);
  return { visitors: { now: total('now'), before: total('before') }, rows, bots, suspected };
}
