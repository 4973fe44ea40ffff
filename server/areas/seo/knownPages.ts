import { addressIn } from '../../../contract/languages/addresses';
import { pathOfRecord } from '../../../contract/publishing/recordPath';
import { normalizePath } from '../../../contract/paths';
import { seoLimits } from '../../../contract/seo/terms';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import type { PagedSite } from './pages';
import type { CollectionRoute } from './sitemapFiles';

/** An address of a site that is in use. `title`: as the record or its visitors have it; may be empty. `visits`: of people, in the last 90 days. */
export type KnownPage = { readonly path: string; readonly title: string; readonly visits: number };

/** Records that are read at once. */
const readAtOnce = 500;

const plainText = (value: { readonly kind: string; readonly value?: unknown } | undefined): string =>
  value?.kind === 'plain' && typeof value.value === 'string' ? value.value : '';

/** Addresses of the records of a route in a language, without its prefix. */
async function recordPages(
  { content, hidesMissing }: PagedSite,
  route: CollectionRoute,
  language: string,
  most: number,
): Promise<{ path: string; title: string }[]> {
  const { recordPath, slug } = route;
  if (recordPath === null) return [];
  const title = route.fields.title ?? Object.values(route.fields)[0];
  const found: { path: string; title: string }[] = [];
  for (let offset = 0; offset < most; offset += readAtOnce) {
    const { rows } = await content.records({
      table: route.table,
      fields: { ...(title === undefined ? {} : { title }), ...(slug === null ? {} : { slug }) },
      locale: language,
      // Where the language hides what is not written in it, there is no such page.
      ...(hidesMissing.has(language) ? { existsIn: language } : {}),
      offset,
      limit: readAtOnce,
    });
    for (const { id, values } of rows) {
      const name = slug === null ? id : plainText(values.slug);
      if (name !== '') found.push({ path: pathOfRecord(recordPath, name), title: plainText(values.title) });
    }
    if (rows.length < readAtOnce) break;
  }
  return found;
}

/** Pages of the live release (null: none), by path in the form of `normalizePath`, with their titles. */
export async function publishedPages(site: PagedSite | null, most: number): Promise<Map<string, string>> {
  const pages = new Map<string, string>([['/', '']]);
  for (const language of site?.languages ?? []) {
    const add = (path: string, title: string): void => {
      if (site && pages.size < most) pages.set(normalizePath(addressIn(site.addresses, path, language).path), title);
    };
    for (const route of site?.routes ?? []) {
      if (route.kind === 'template') add(route.path, route.title[language] ?? '');
      else {
        if (route.listPath !== null) add(route.listPath, '');
        for (const { path, title } of site ? await recordPages(site, route, language, most - pages.size) : []) add(path, title);
      }
    }
  }
  return pages;
}

type Used = { readonly path: string; readonly title: string; readonly visits: string | number };

/** Pages that people have visited, the most visited first. Throws `ClickHouseAway`. */
const visitedPages = (ctx: Context, siteId: string, most: number): Promise<Used[]> =>
  ctx.clickhouse.query<Used>(
    `SELECT path, argMax(title, start) AS title, uniqExact(visit_id) AS visits
    FROM (SELECT visit_id, start, view.1 AS path, view.2 AS title FROM (
      SELECT visit_id, start, arrayJoin(arrayZip(view_path, view_title)) AS view FROM visits FINAL
      WHERE site_id = {site:String} AND deleted = 0 AND bot_score < 50 AND start >= fromUnixTimestamp64Milli({start:Int64})
    )) WHERE startsWith(path, '/') GROUP BY path ORDER BY visits DESC LIMIT {most:UInt32}`,
    { params: { site: siteId, start: ctx.now() - seoLimits.knownDays * DAY, most } },
  );

/** Paths of pages that were delivered, to anybody, the most requested first. */
const requestedPages = (ctx: Context, siteId: string, most: number): Promise<{ readonly path: string }[]> =>
  ctx.clickhouse.query<{ path: string }>(
    `SELECT path FROM delivered_requests
    WHERE site_id = {site:String} AND kind = 'page' AND status IN (200, 304) AND at >= fromUnixTimestamp64Milli({start:Int64})
    GROUP BY path ORDER BY count() DESC LIMIT {most:UInt32}`,
    { params: { site: siteId, start: ctx.now() - seoLimits.knownDays * DAY, most } },
  );

/** Every address of a site that is known: published, visited or requested, the most visited first. Throws `ClickHouseAway`. */
export async function knownPages(ctx: Context, siteId: string, live: PagedSite | null): Promise<KnownPage[]> {
  const most = seoLimits.whatIf;
  const [published, visited, requested] = await Promise.all([publishedPages(live, most), visitedPages(ctx, siteId, most), requestedPages(ctx, siteId, most)]);
  const pages = new Map<string, KnownPage>();
  for (const { path, title, visits } of visited) pages.set(path, { path, title: published.get(path) || title, visits: Number(visits) });
  for (const [path, title] of published) if (!pages.has(path)) pages.set(path, { path, title, visits: 0 });
  for (const { path: raw } of requested) {
    const path = normalizePath(raw);
    if (!pages.has(path)) pages.set(path, { path, title: '', visits: 0 });
  }
  return [...pages.values()].slice(0, most);
}
