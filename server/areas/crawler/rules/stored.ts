import type { PageFacts, PageLink } from '../../../../contract/crawler/facts';
import type { FetchError, IndexReason, LinkKind, LinkPosition } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import type { AuditedPage, FindingRun } from './finding';

export type StoredPage = { readonly urlId: number; readonly page: AuditedPage; readonly facts: PageFacts; readonly links: readonly PageLink[] };

type PageRow = Omit<AuditedPage, 'error' | 'indexReason'> & {
  readonly urlId: string;
  readonly facts: PageFacts;
  readonly error: FetchError | null;
  readonly indexReason: IndexReason;
};
type LinkRow = {
  readonly src: number;
  readonly dst: string;
  readonly kind: LinkKind;
  readonly place: LinkPosition;
  readonly anchor: string;
  readonly fragment: string;
  readonly nofollow: number;
  readonly sponsored: number;
  readonly ugc: number;
  readonly written: string;
};

const batchSize = 500;

async function linksOf(ctx: Context, run: FindingRun, pages: readonly number[]): Promise<Map<number, PageLink[]>> {
  const rows = await ctx.clickhouse.query<LinkRow>(
    `SELECT toFloat64(l.src) AS src, toString(l.dst) AS dst, l.kind AS kind, l.place AS place, l.anchor AS anchor, l.fragment AS fragment, l.nofollow AS nofollow,
       l.sponsored AS sponsored, l.ugc AS ugc, l.written AS written
     FROM crawl_links AS l FINAL WHERE l.site_id = {site:String} AND l.run_id = {run:String} AND l.src IN {pages:Array(UInt64)} ORDER BY l.src, l.position`,
    { params: { site: run.siteId, run: run.id, pages: [...pages] } },
  );
  const targets = await ctx.postgres.pool.query<{ id: string; url: string }>('SELECT id, url FROM crawl_urls WHERE site_id = $1 AND id = ANY($2::bigint[])', [
    run.siteId,
    [...new Set(rows.map(({ dst }) => dst))],
  ]);
  const addresses = new Map(targets.rows.map(({ id, url }) => [id, url]));
  const links = new Map<number, PageLink[]>();
  for (const { src, dst, kind, place: position, anchor, fragment, nofollow, sponsored, ugc, written } of rows) {
    const url = addresses.get(dst);
    if (url === undefined) continue;
    const link = {
      url,
      kind,
      position,
      anchor,
      fragment,
      nofollow: nofollow === 1,
      sponsored: sponsored === 1,
      ugc: ugc === 1,
      written: written === '' ? null : written,
    };
    const list = links.get(src);
    if (list) list.push(link);
    else links.set(src, [link]);
  }
  return links;
}

/** All addresses that a run requested, as rules of pages read them, in batches of 500. */
export async function* storedPages(ctx: Context, run: FindingRun): AsyncIterable<readonly StoredPage[]> {
  for (let last = -1; ;) {
    const { rows } = await ctx.postgres.pool.query<PageRow>(
      `SELECT p.url_id AS "urlId", u.url, p.internal, p.html, f.source IS NOT DISTINCT FROM 'resource' AS resource, p.status, p.error, p.mime, p.wire_bytes AS "wireBytes", p.bytes, p.first_byte_ms AS "firstByteMs", p.depth,
         p.in_sitemap AS "inSitemap", p.indexable, p.index_reason AS "indexReason", p.units, p.facts
       FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id LEFT JOIN crawl_frontier f ON f.run_id = $1 AND f.url_id = p.url_id
       WHERE p.run_id = $1 AND p.url_id > $3 ORDER BY p.url_id LIMIT ${batchSize}`,
      [run.id, run.siteId, last],
    );
    if (rows.length === 0) return;
    const links = await linksOf(
      ctx,
      run,
      rows.filter(({ html, internal }) => html && internal).map(({ urlId }) => Number(urlId)),
    );
    yield rows.map(({ urlId, facts, ...page }) => ({ urlId: Number(urlId), page, facts, links: links.get(Number(urlId)) ?? [] }));
    last = Number(rows.at(-1)?.urlId);
  }
}
