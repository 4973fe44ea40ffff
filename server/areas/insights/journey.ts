import type { z } from 'zod';
import { longestWalk } from '../../../contract/insights/reports';
import type { Journey } from '../../../contract/insights/reports';
import { runQuery, visitsOf } from '../analytics';
import type { QueryContext, Scan } from '../analytics';

const mostPages = 10;

/** Pages step by step from the entry or back from the exit; defined in contract/insights/reports.ts. */
export async function journeyOf(to: QueryContext, scan: Scan, end: 'entry' | 'exit', steps: readonly string[]): Promise<z.input<typeof Journey>> {
  const visits = visitsOf(scan);
  const pages = `arraySlice(${end === 'exit' ? 'arrayReverse(arrayCompact(view_path))' : 'arrayCompact(view_path)'}, 1, ${longestWalk})`;
  // The prefixes of `steps` that the visit matches are all those up to some length, so counting them gives that length.
  const walked = 'arrayCount(k -> arraySlice(pages, 1, k) = arraySlice({steps:Array(String)}, 1, k), range(1, toUInt64(length({steps:Array(String)}) + 1)))';
  const rows = `FROM (SELECT ${pages} AS pages, ${walked} AS walked ${visits.sql} AND toUnixTimestamp64Milli(start) >= {start:Int64} AND notEmpty(view_at))
    ARRAY JOIN range(0, toUInt64(walked + 1)) AS k`;
  const params = { ...visits.params, steps: [...steps] };
  const next = 'pages[k + 1]';
  const [totals, top] = await Promise.all([
    runQuery<{ step: number; visits: number; ended: number; kinds: number }>(
      to,
      `SELECT toFloat64(k) AS step, toFloat64(count()) AS visits, toFloat64(countIf(${next} = '')) AS ended, toFloat64(uniqExactIf(${next}, ${next} != '')) AS kinds ${rows} GROUP BY k`,
      params,
    ),
    runQuery<{ step: number; path: string; visits: number }>(
      to,
      `SELECT toFloat64(k) AS step, ${next} AS path, toFloat64(count()) AS visits ${rows} WHERE path != '' GROUP BY k, path ORDER BY k, visits DESC, path LIMIT ${mostPages} BY k`,
      params,
    ),
  ]);
  return {
    columns: Array.from({ length: steps.length + 1 }, (_, k) => {
      const of = totals.find((row) => row.step === k);
      const stepPages = top.filter((row) => row.step === k).map(({ path, visits: n }) => ({ path, visits: n }));
      const beyond = (of?.visits ?? 0) - (of?.ended ?? 0) - stepPages.reduce((sum, row) => sum + row.visits, 0);
      return { visits: of?.visits ?? 0, ended: of?.ended ?? 0, pages: stepPages, other: { visits: beyond, pages: (of?.kinds ?? 0) - stepPages.length } };
    }),
  };
}
