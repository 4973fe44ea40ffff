import { sql } from 'drizzle-orm';
import type { CrawlLinkRow, PageRef } from '../../../../contract/crawler/inventorySchemas';
import { inventoryLimits } from '../../../../contract/crawler/inventoryTerms';
import type { LinkKind, LinkPosition } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { partOf, positionOf } from './cursor';
import { refsOf } from './pageQueries';
import type { Db, Run } from './runs';

type StoredLink = {
  readonly src: string;
  readonly dst: string;
  readonly position: number;
  readonly kind: LinkKind;
  readonly place: LinkPosition;
  readonly anchor: string;
  readonly fragment: string;
  readonly nofollow: number;
};
type Part = { readonly before?: string | undefined; readonly size: number };
type Read = { readonly where: string; readonly params: Readonly<Record<string, unknown>> } & Part;

const unknownRef = (urlId: number): PageRef => ({ urlId, url: '', status: null, title: null });

/** Links in the order of their pages and of their places in them. */
async function readLinks(ctx: Context, run: Run, { where, params, before, size }: Read): Promise<{ rows: CrawlLinkRow[]; next: string | null }> {
  const after = positionOf(before, [0, 0]);
  const place = after === null ? '' : 'AND (src, position) > ({afterSrc:UInt64}, {afterPosition:UInt32})';
  const found = await ctx.clickhouse.query<StoredLink>(
    `SELECT src, dst, position, kind, place, anchor, fragment, nofollow FROM crawl_links FINAL
    WHERE site_id = {site:String} AND run_id = {run:String} AND ${where} ${place} ORDER BY src, position LIMIT {most:UInt32}`,
    {
      params: {
        ...params,
        site: run.siteId,
        run: run.id,
        most: size + 1,
        ...(after === null ? {} : { afterSrc: String(after[0]), afterPosition: after[1] }),
      },
    },
  );
  const { rows, next } = partOf(found, size, ({ src, position }) => [Number(src), position]);
  const refs = await refsOf(
    ctx.postgres.db,
    run,
    rows.flatMap(({ src, dst }) => [Number(src), Number(dst)]),
  );
  const refOf = (id: string): PageRef => refs.get(Number(id)) ?? unknownRef(Number(id));
  return {
    rows: rows.map(({ src, dst, kind, place: position, anchor, fragment, nofollow }) => ({
      from: refOf(src),
      to: refOf(dst),
      kind,
      position,
      anchor,
      fragment,
      nofollow: nofollow === 1,
    })),
    next,
  };
}

/** Links of a page, or links to it. */
export const linksOfPage = (ctx: Context, run: Run, urlId: number, direction: 'in' | 'out', part: Part) =>
  readLinks(ctx, run, { where: direction === 'in' ? 'dst = {page:UInt64}' : 'src = {page:UInt64}', params: { page: String(urlId) }, ...part });

type LinkFilter = {
  readonly target: 'all' | 'broken' | 'redirect';
  readonly kind?: LinkKind | undefined;
  readonly position?: LinkPosition | undefined;
  readonly nofollow?: '0' | '1' | undefined;
  readonly q?: string | undefined;
};

/** Targets of links that a filter names; more are not listed. */
const mostTargets = 5000;

async function idsOf(db: Db, run: Run, target: 'broken' | 'redirect'): Promise<string[]> {
  const state = target === 'broken' ? sql`(p.status >= 400 or p.status = 0)` : sql`p.status between 300 and 399`;
  const { rows } = await db.execute<{ id: string }>(
    sql`select p.url_id::text as id from crawl_pages p where p.run_id = ${run.id} and ${state} order by p.links_in desc, p.url_id limit ${mostTargets}`,
  );
  return rows.map(({ id }) => id);
}

/** Links of a run. */
export async function listLinks(ctx: Context, run: Run, { target, kind, position, nofollow, q = '' }: LinkFilter, part: Part) {
  const targets = target === 'all' ? null : await idsOf(ctx.postgres.db, run, target);
  if (targets?.length === 0) return { rows: [], next: null };
  const conditions = [
    // In the text of the query, because parameters are part of the address; these are digits.
    ...(targets === null ? [] : [`dst IN (${targets.join(', ')})`]),
    ...(kind === undefined ? [] : ['kind = {kind:String}']),
    ...(position === undefined ? [] : ['place = {place:String}']),
    ...(nofollow === undefined ? [] : ['nofollow = {nofollow:UInt8}']),
    ...(q === '' ? [] : ['positionCaseInsensitiveUTF8(anchor, {anchor:String}) > 0']),
    '1',
  ];
  const params = {
    ...(kind === undefined ? {} : { kind }),
    ...(position === undefined ? {} : { place: position }),
    ...(nofollow === undefined ? {} : { nofollow: Number(nofollow) }),
    ...(q === '' ? {} : { anchor: q }),
  };
  return readLinks(ctx, run, { where: conditions.join(' AND '), params, ...part });
}

/**
 * Links of the text from one page to another, with their number. Of more than `graphLinks`, those of every n-th page are read and stand for n, which is the result's
 * `weight`.
 */
export async function pageEdges(ctx: Context, run: Run): Promise<{ edges: Uint8Array<ArrayBuffer>; weight: number }> {
  const params = { site: run.siteId, run: run.id };
  const links = `crawl_links FINAL WHERE site_id = {site:String} AND run_id = {run:String} AND kind = 'a' AND internal = 1`;
  const [counted] = await ctx.clickhouse.query<{ links: string }>(`SELECT count() AS links FROM ${links}`, { params });
  const weight = Math.max(1, Math.ceil(Number(counted?.links ?? 0) / inventoryLimits.graphLinks));
  const edges = await ctx.clickhouse.queryBytes(
    `SELECT src, dst, toUInt32(count()) AS links FROM ${links} AND cityHash64(src) % {weight:UInt32} = 0 GROUP BY src, dst`,
    { params: { ...params, weight } },
  );
  return { edges, weight };
}
