import { verdictBounds } from '../../../../contract/analytics/terms';
import { normalizePath } from '../../../../contract/paths';
import type { Context } from '../../../context';
import { ClickHouseAway } from '../../../stores/clickhouse/types';
import { DAY } from '../../../zone';

/** Days whose visits weigh issues. */
const days = 28;
/** Pages that are read at most; the others count as not visited. */
const mostPages = 200_000;

/** Visits of people in the last 28 days. `total`: of all pages. */
export type PageVisits = {
  readonly total: number;
  readonly of: (url: string) => number;
  /** Visited pages as host and path, the most visited first. */
  readonly pages: readonly { readonly host: string; readonly path: string; readonly visits: number }[];
};
const noVisits: PageVisits = { total: 0, of: () => 0, pages: [] };

/** Reads them once for a run; nothing if the store is away, because an audit must not fail for want of weights. */
export async function readVisits(ctx: Context, siteId: string): Promise<PageVisits> {
  const params = { site: siteId, start: ctx.now() - days * DAY, most: mostPages };
  try {
    const rows = await ctx.clickhouse.query<{ readonly host: string; readonly path: string; readonly visits: number }>(
      `SELECT view.1 AS host, view.2 AS path, toFloat64(uniqExact(visit_id)) AS visits FROM (
        SELECT visit_id, arrayJoin(arrayZip(view_host, view_path)) AS view FROM visits FINAL
        WHERE site_id = {site:String} AND deleted = 0 AND bot_score < ${verdictBounds.suspected} AND origin != 'audit' AND start >= fromUnixTimestamp64Milli({start:Int64})
      ) WHERE startsWith(path, '/') GROUP BY host, path ORDER BY visits DESC, host, path LIMIT {most:UInt32}`,
      { params },
    );
    const byPage = new Map(rows.map(({ host, path, visits }) => [`${host}${path}`, visits]));
    const of = (url: string): number => {
      const { hostname, pathname } = new URL(url);
      return byPage.get(`${hostname}${normalizePath(pathname)}`) ?? 0;
    };
    return { total: rows.reduce((sum, { visits }) => sum + visits, 0), of, pages: rows };
  } catch (error) {
    if (error instanceof ClickHouseAway) return noVisits;
    throw error;
  }
}
