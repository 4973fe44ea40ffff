import type { z } from 'zod';
import type { FunnelResult } from '../../../contract/insights/reports';
import type { Funnel } from '../../../contract/insights/schemas';
import { runQuery, binder, compileFilters, conditionSql, visitsOf } from '../analytics';
import type { QueryContext, Scan } from '../analytics';
import { MINUTE } from '../../zone';

type Steps = Pick<Funnel, 'steps' | 'within' | 'scope'>;

/**
 * Number of visitors who reached each step; defined in contract/insights/reports.ts. One pass: every hit becomes (time, 0 view or 1 event, number, bits of the
 * steps that it matches), and a fold over a visitor's hits in order stores for each step `s` the latest start of a chain to it (0: none), `p` the last hit that
 * completed one, and `d` the time of the first arrival.
 */
export async function funnelResult(to: QueryContext, scan: Scan, { steps, within, scope }: Steps): Promise<z.input<typeof FunnelResult>> {
  const { bind, params } = binder('step');
  const conditions = steps.map((step) => ({ kind: step.kind, sql: conditionSql(step, bind) }));
  const { mask, visit } = scan.filters;
  const first = `(${visit}${mask ? ` AND has(${mask}, 1)` : ''})`;
  // Filters apply to the first step only; later steps may be after the range.
  const wide = visitsOf({ ...scan, end: scan.end + within * MINUTE, filters: compileFilters([]) });

  const bits = (kind: 'page' | 'event', t: string): string =>
    `toUInt16(${conditions
      .map((step, k) => {
        if (step.kind !== kind) return '0';
        const begins = k === 0 ? ` AND chosen AND ${t} >= {rangeStart:Int64} AND ${t} < {rangeEnd:Int64}` : '';
        return `(${step.sql}${begins}) * ${2 ** k}`;
      })
      .join(' + ')})`;
  const hit = (kind: 'page' | 'event'): string => `(start_ms + offset, toUInt8(${kind === 'page' ? 0 : 1}), toUInt32(i), ${bits(kind, '(start_ms + offset)')})`;
  const hits = `arrayFilter(hit -> hit.4 > 0, arrayConcat(
        arrayMap((path, offset, i) -> ${hit('page')}, view_path, view_at, arrayEnumerate(view_at)),
        arrayMap((name, props, offset, i) -> ${hit('event')}, event_name, event_props, event_at, arrayEnumerate(event_at))))`;

  const n = steps.length;
  const numbers = steps.map((_step, k) => k + 1);
  const s = (k: number): string => `acc.${k}`;
  const p = (k: number): string => `acc.${n + k}`;
  const d = (k: number): string => `acc.${2 * n + k}`;
  const serves = (k: number): string =>
    k === 1 ? 'bitTest(hit.4, 0)' : `bitTest(hit.4, ${k - 1}) AND ${s(k - 1)} > 0 AND hit.1 - ${s(k - 1)} <= {withinMs:Int64}`;
  // Everything is computed from the state before the hit, so that one hit never counts for two steps.
  const state = [
    ...numbers.map((k) => `if(${serves(k)}, ${k === 1 ? 'hit.1' : s(k - 1)}, ${s(k)})`),
    ...numbers.map((k) => `if(${serves(k)}, hit.1, ${p(k)})`),
    ...numbers.map((k) => (k === 1 ? d(1) : `if(${serves(k)} AND ${d(k)} < 0, hit.1 - ${p(k - 1)}, ${d(k)})`)),
  ];
  const empty = [...numbers.map(() => 'toInt64(0)'), ...numbers.map(() => 'toInt64(0)'), ...numbers.map(() => 'toInt64(-1)')];

  const [row] = await runQuery<Record<string, number | null>>(
    to,
    `SELECT ${numbers.map((k) => `toFloat64(countIf(r${k})) AS n${k}, if(n${k} = 0, NULL, quantileExactInclusiveIf(0.5)(d${k}, r${k}) / 1000) AS m${k}`).join(', ')}
    FROM (
      SELECT visitor_id, ${numbers.map((k) => `max(${s(k)} > 0) AS r${k}, argMinIf(${d(k)}, unit, ${s(k)} > 0) AS d${k}`).join(', ')}
      FROM (
        SELECT visitor_id, unit, arrayFold((acc, hit) -> (${state.join(', ')}), arraySort(groupArrayArray(hits)), (${empty.join(', ')})) AS acc
        FROM (
          SELECT visitor_id, ${scope === 'visit' ? '(start_ms, visit_id)' : '(toInt64(0), toUInt64(0))'} AS unit, ${hits} AS hits
          FROM (
            SELECT visitor_id, visit_id, toUnixTimestamp64Milli(start) AS start_ms, ${first} AS chosen, view_path, view_at, event_name, event_props, event_at ${wide.sql}
          )
          WHERE notEmpty(hits)
        )
        GROUP BY visitor_id, unit
      )
      GROUP BY visitor_id
    )`,
    { ...wide.params, ...scan.filters.params, ...params, rangeStart: scan.start, rangeEnd: scan.end, withinMs: within * MINUTE },
  );
  const counts = numbers.map((k) => row?.[`n${k}`] ?? 0);
  return {
    steps: counts.map((visitors, index) => {
      const before = counts[index - 1];
      const all = counts[0] ?? 0;
      return {
        visitors,
        rate: all === 0 ? null : visitors / all,
        stepRate: before === undefined ? null : before === 0 ? null : visitors / before,
        dropped: before === undefined ? 0 : before - visitors,
        medianSeconds: index === 0 ? null : (row?.[`m${index + 1}`] ?? null),
      };
    }),
  };
}
