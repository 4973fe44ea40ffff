import { sourceTypes } from '../../../contract/analytics/schemas';
import type { Flow, SourceType } from '../../../contract/analytics/schemas';
import { runQuery } from './queries';
import type { QueryContext } from './queries';
import { viewsWithin, visitTimes, visitsOf } from './slices';
import type { Scan } from './slices';

/** Maximum number of pages listed by name on each side; the rest is the difference to the views. */
const most = 50;

type Part = { part: 'came' | 'went' | 'all'; kind: 'end' | 'again' | 'page'; a: string; b: string; views: number };

/**
 * Views of one page in a range, each with the page viewed directly before and after it in its visit, even outside the range. Page filters keep only the views
 * that match them. `views`, `entries` and `exits` are those of a report filtered by this page.
 */
export async function flowOf(to: QueryContext, scan: Scan, path: string): Promise<Flow> {
  const { mask } = scan.filters;
  const onPath = `arrayMap((one_path${mask ? ', one_m' : ''}) -> one_path = {path:String}${mask ? ' AND one_m' : ''}, view_path${mask ? `, ${mask}` : ''})`;
  const visits = visitsOf({ ...scan, filters: { ...scan.filters, mask: onPath, params: { ...scan.filters.params, path } } });
  const kindOf = (edge: string, other: string): string => `multiIf(${edge}, 'end', ${other} = {path:String}, 'again', 'page')`;
  const rows = await runQuery<Part>(
    to,
    `SELECT part, kind, a, b, toFloat64(views) AS views FROM (
      SELECT multiIf(grouping(came) = 0, 'came', grouping(went) = 0, 'went', 'all') AS part, if(part = 'went', went.1, came.1) AS kind, if(part = 'went', went.2, came.2) AS a, came.3 AS b, count() AS views
      FROM (
        SELECT step.1 AS came, step.2 AS went
        FROM (
          SELECT view_at, ${visitTimes}, ${onPath} AS mask,
            arrayMap(i -> (
              (${kindOf('i = 1', 'view_path[i - 1]')}, if(i = 1, toString(source_type), view_path[i - 1]), if(i = 1, toString(source_name), '')),
              (${kindOf('i = length(view_path)', 'view_path[i + 1]')}, view_path[i + 1])
            ), ${viewsWithin('mask')}) AS around
          ${visits.sql}
        )
        ARRAY JOIN around AS step
      )
      GROUP BY GROUPING SETS ((came), (went), ())
    )
    ORDER BY views DESC, a, b`,
    visits.params,
  );
  return flowFrom(path, rows);
}

function flowFrom(path: string, rows: readonly Part[]): Flow {
  const sum = (part: Part['part'], kind?: Part['kind']): number =>
    rows.filter((row) => row.part === part && (kind === undefined || row.kind === kind)).reduce((all, row) => all + row.views, 0);
  const views = sum('all');
  const share = (n: number): number => (views === 0 ? 0 : n / views);
  const named = (part: Part['part'], kind: Part['kind']): Part[] => rows.filter((row) => row.part === part && row.kind === kind).slice(0, most);
  const pages = (part: Part['part']) => named(part, 'page').map((row) => ({ path: row.a, views: row.views, share: share(row.views) }));
  const typeOf = (text: string): SourceType => sourceTypes.find((one) => one === text) ?? 'direct';
  return {
    path,
    views,
    entries: sum('came', 'end'),
    sources: named('came', 'end').map((row) => ({ sourceType: typeOf(row.a), sourceName: row.b, views: row.views, share: share(row.views) })),
    upstream: pages('came'),
    again: sum('came', 'again'),
    exits: sum('went', 'end'),
    downstream: pages('went'),
    againNext: sum('went', 'again'),
  };
}
