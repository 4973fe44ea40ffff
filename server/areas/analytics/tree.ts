import type { Tree } from '../../../contract/analytics/schemas';
import type { Dimension } from './dimensions';
import { directoryIn } from './dimensions';
import { measureTable } from './measures';
import { runQuery, countedOver, countingOf } from './queries';
import type { QueryContext } from './queries';
import { slicesOf } from './slices';
import type { Scan } from './slices';

const mostNodes = 500;
const below = '{under:String}';

/** The first letter of a node distinguishes a directory (d) from a page (p) of the same name. */
const node: Dimension = {
  level: 'view',
  sql: `arrayMap(p -> if(${directoryIn('p', below)} = ${below}, concat('p', p), concat('d', ${directoryIn('p', below)})), view_path)`,
  detail: 'view_path',
  label: { zh: '目录', en: 'Directory' },
  unknown: { zh: '未知', en: 'Unknown' },
};

type NodeRow = { node: string; n_pages: number; n_views: number; n_visitors: number; n_visits: number; time: number | null; all_views: number };

/**
 * The directories and pages directly below `under`, ordered by page views: the rows of a report by page, grouped. `/` contains every page, including those
 * whose path does not begin with a slash. `host`: only pages of that host.
 */
export async function treeOf(to: QueryContext, scan: Scan, under: string, host: string | undefined): Promise<Tree> {
  const counting = await countingOf(to, scan);
  const inside = `(${below} = '/' OR startsWith(one_path, ${below}))${host === undefined ? '' : ' AND one_host = {host:String}'}`;
  const { mask } = scan.filters;
  const narrowed: Scan = {
    ...scan,
    filters: {
      ...scan.filters,
      mask: `arrayMap((one_path, one_host${mask ? ', one_m' : ''}) -> ${inside}${mask ? ' AND one_m' : ''}, view_path, view_host${mask ? `, ${mask}` : ''})`,
      params: { ...scan.filters.params, under, ...(host === undefined ? {} : { host }) },
    },
  };
  const { sql, params } = slicesOf(narrowed, [scan.start], node, ['pages']);
  const count = countedOver(counting, [scan.start]);
  const rows = await runQuery<NodeRow>(
    to,
    `SELECT row_key AS node, toFloat64(uniqExactIf(detail, active)) AS n_pages, toFloat64(${measureTable.views.sql(count)}) AS n_views, toFloat64(${measureTable.visitors.sql(count)}) AS n_visitors,
      toFloat64(${measureTable.visits.sql(count)}) AS n_visits, toFloat64(${measureTable.avgTimeOnPage.sql(count)}) AS time, sum(n_views) OVER () AS all_views
    FROM (${sql}) GROUP BY row_key ORDER BY n_views DESC, row_key LIMIT ${mostNodes + 1}`,
    params,
  );
  return {
    under,
    nodes: rows.slice(0, mostNodes).map((row) => ({
      path: row.node.slice(1),
      kind: row.node.startsWith('d') ? 'directory' : 'page',
      pages: row.n_pages,
      views: row.n_views,
      visitors: row.n_visitors,
      visits: row.n_visits,
      avgTimeOnPage: row.time,
    })),
    views: rows[0]?.all_views ?? 0,
    more: rows.length > mostNodes,
  };
}
