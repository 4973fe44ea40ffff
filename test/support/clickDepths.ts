import type { Context } from '../../server/context';

type Page = {
  readonly id: string;
  readonly url: string;
  readonly depth: number;
  readonly first: number | null;
  readonly seed: boolean;
  readonly listed: boolean;
};
type Link = { readonly src: string; readonly dst: string; readonly kind: string };

type Step<Id> = { readonly from: Id; readonly to: Id; readonly isRedirect: boolean };

/** Follows every link until no page comes any nearer. Pages that have a depth before keep it. */
export function shortenPaths<Id>(depths: Map<Id, number>, steps: readonly Step<Id>[]): void {
  const fixed = new Set(depths.keys());
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const { from, to, isRedirect } of steps) {
      const depth = (depths.get(from) ?? Infinity) + (isRedirect ? 0 : 1);
      if (fixed.has(to) || depth >= (depths.get(to) ?? Infinity)) continue;
      depths.set(to, depth);
      isChanged = true;
    }
  }
}

/** Depths of the pages of a run: those it stored, the true ones, and how many it had to correct because the crawl met the page by a longer path first. */
export async function clickDepths({ postgres, clickhouse }: Context, runId: string) {
  const { rows } = await postgres.pool.query<Page>(
    `SELECT p.url_id AS id, u.url, p.depth, f.depth AS first, f.source = 'seed' AS seed, p.in_sitemap AS listed
     FROM crawl_pages p JOIN crawl_urls u ON u.site_id = (SELECT site_id FROM crawl_runs WHERE id = $1) AND u.id = p.url_id
     LEFT JOIN crawl_frontier f ON f.run_id = p.run_id AND f.url_id = p.url_id WHERE p.run_id = $1 AND p.internal`,
    [runId],
  );
  const links = await clickhouse.query<Link>(
    'SELECT DISTINCT toString(src) AS src, toString(dst) AS dst, toString(kind) AS kind FROM crawl_links WHERE run_id = {run:String}',
    { params: { run: runId } },
  );
  const pages = new Set(rows.map(({ id }) => id));
  const depths = new Map(rows.flatMap(({ id, seed }) => (seed ? [[id, 0] as const] : [])));
  const steps = links.filter(({ dst }) => pages.has(dst)).map(({ src, dst, kind }) => ({ from: src, to: dst, kind, isRedirect: kind === 'redirect' }));
  shortenPaths(
    depths,
    steps.filter(({ kind }) => ['a', 'frame', 'redirect', 'refresh'].includes(kind)),
  );
  for (const { id, listed } of rows) if (listed && !depths.has(id)) depths.set(id, 0);
  shortenPaths(depths, steps);
  return {
    stored: Object.fromEntries(rows.map(({ url, depth }) => [url, depth])),
    true: Object.fromEntries(rows.map(({ id, url, first }) => [url, depths.get(id) ?? first])),
    corrected: rows.filter(({ depth, first }) => depth !== first).length,
  };
}
