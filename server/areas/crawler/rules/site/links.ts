import { normalizeUrl, storeAddresses } from '../../engine';
import type { Finding } from '../finding';
import { atSources, addressesOf, chunks, finding, isListed, isPage, linkPairs, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

const idsOf = async (audit: SiteAudit, text: string, values: readonly unknown[] = []): Promise<number[]> =>
  (await rowsOf<{ id: string }>(audit, text, values)).map(({ id }) => Number(id));

/** Responses of other sites that say nothing about visitors: they refuse programs, or are busy. */
const unsure = '401, 403, 405, 406, 407, 408, 423, 429, 451, 503, 999';

async function* broken(audit: SiteAudit): AsyncIterable<Finding> {
  const targets = await idsOf(
    audit,
    `SELECT p.url_id AS id FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.internal AND (p.status >= 400 OR p.error IS NOT NULL)`,
  );
  yield* atSources(audit, 'link_broken', ['a', 'style', 'script', 'frame', 'media', 'feed', 'manifest'], targets);
  const images = await idsOf(
    audit,
    `SELECT p.url_id AS id FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> ''
     AND (p.status >= 400 AND (p.internal OR p.status < 500 AND p.status NOT IN (${unsure})) OR p.error IS NOT NULL AND p.internal)`,
  );
  yield* atSources(audit, 'image_broken', ['image'], images);
}

/** Other sites are down for an hour, or refuse programs: a link counts as broken only if it was in two runs. */
async function* brokenOutside(audit: SiteAudit): AsyncIterable<Finding> {
  const [before] = audit.previous;
  if (before === undefined) return;
  const isBroken = (row: string): string => `NOT ${row}.internal AND (${row}.status >= 400 AND ${row}.status NOT IN (${unsure}) OR ${row}.error IS NOT NULL)`;
  const targets = await idsOf(
    audit,
    `SELECT p.url_id AS id FROM crawl_pages p JOIN crawl_pages b ON b.run_id = $3 AND b.url_id = p.url_id
     WHERE p.run_id = $1 AND $2 <> '' AND ${isBroken('p')} AND ${isBroken('b')}`,
    [before],
  );
  yield* atSources(audit, 'link_external_broken', ['a', 'style', 'script', 'frame', 'media'], targets);
}

async function* redirected(audit: SiteAudit): AsyncIterable<Finding> {
  const targets = await idsOf(audit, `SELECT p.url_id AS id FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.internal AND p.redirect_to IS NOT NULL`);
  yield* atSources(audit, 'link_redirected', ['a'], targets);
}

async function* nofollow(audit: SiteAudit): AsyncIterable<Finding> {
  for await (const pairs of linkPairs(audit, `l.kind = 'a' AND l.nofollow = 1 AND l.internal = 1 AND l.src != l.dst`)) {
    const listed = new Set<number>();
    for (const ids of chunks([...new Set(pairs.map(({ dst }) => dst))]))
      for (const id of await idsOf(
        audit,
        `SELECT p.url_id AS id FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND ${isListed} AND p.url_id = ANY($3::bigint[])`,
        [ids],
      ))
        listed.add(id);
    const bySource = new Map<number, { dst: number; count: number }>();
    for (const { src, dst } of pairs) if (listed.has(dst)) bySource.set(src, { dst, count: (bySource.get(src)?.count ?? 0) + 1 });
    const addresses = await addressesOf(
      audit,
      [...bySource.values()].map(({ dst }) => dst),
    );
    for (const [src, { dst, count }] of bySource) yield finding(audit, 'link_nofollow', src, { count, url: addresses.get(dst) ?? '' });
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
/** Fragments that scripts read, and those that browsers know by themselves. */
const isTarget = (fragment: string): boolean => fragment !== 'top' && !/^(?:[!/]|:~:)/.test(fragment);
/** Ids that facts list at most; further ones may exist. */
const mostIds = 1000;

async function* fragments(audit: SiteAudit): AsyncIterable<Finding> {
  for await (const pairs of linkPairs(audit, `l.kind = 'a' AND l.internal = 1 AND l.fragment != ''`)) {
    const ids = new Map<number, ReadonlySet<string>>();
    for (const some of chunks([...new Set(pairs.map(({ dst }) => dst))], 500)) {
      const rows = await rowsOf<{ id: string; ids: string[] }>(
        audit,
        `SELECT p.url_id AS id, p.facts->'ids' AS ids FROM crawl_pages p
         WHERE p.run_id = $1 AND $2 <> '' AND ${isPage} AND p.url_id = ANY($3::bigint[]) AND (p.facts->>'needsScripts')::boolean = false AND jsonb_array_length(p.facts->'ids') < ${mostIds}`,
        [some],
      );
      for (const row of rows) ids.set(Number(row.id), new Set(row.ids));
    }
    const bySource = new Map<number, { dst: number; fragment: string; count: number }>();
    for (const { src, dst, fragment } of pairs) {
      const known = ids.get(dst);
      if (!known || !isTarget(fragment) || known.has(fragment) || known.has(decoded(fragment))) continue;
      bySource.set(src, { dst, fragment, count: (bySource.get(src)?.count ?? 0) + 1 });
    }
    const addresses = await addressesOf(
      audit,
      [...bySource.values()].map(({ dst }) => dst),
    );
    for (const [src, { dst, fragment, count }] of bySource)
      yield finding(audit, 'link_fragment', src, { count, url: `${addresses.get(dst) ?? ''}#${fragment}` });
  }
}

/** Visits from which a page that the crawl did not find at all is worth a finding, and how many such pages are reported. */
const orphanVisits = 10;
const mostUnknown = 1000;

async function* orphans(audit: SiteAudit): AsyncIterable<Finding> {
  // A crawl that stopped early has not seen every link.
  if (!audit.isComplete) return;
  const rows = await rowsOf<{ id: string; url: string; in_sitemap: boolean }>(
    audit,
    `SELECT p.url_id AS id, u.url, p.in_sitemap FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id
     JOIN crawl_frontier f ON f.run_id = $1 AND f.url_id = p.url_id AND f.source <> 'seed'
     WHERE p.run_id = $1 AND ${isListed} AND p.links_in = 0`,
  );
  for (const { id, url, in_sitemap: inSitemap } of rows) {
    const visits = audit.visits.of(url);
    if (inSitemap || visits > 0) yield finding(audit, 'link_orphan', Number(id), { kind: inSitemap ? 'sitemap' : 'visited', visits });
  }
  const origins = await rowsOf<{ host: string; origin: string }>(
    audit,
    `SELECT u.host, min(substring(u.url from '^https?://[^/]*')) AS origin FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id WHERE p.run_id = $1 AND ${isPage} GROUP BY u.host`,
  );
  const byHost = new Map(origins.map(({ origin }) => [new URL(origin).hostname, origin]));
  const visited = audit.visits.pages.filter(({ host, visits }) => visits >= orphanVisits && byHost.has(host)).slice(0, mostUnknown);
  const addresses = visited.flatMap(({ host, path, visits }) => {
    const url = normalizeUrl(`${byHost.get(host) ?? ''}${path}`);
    return url === null ? [] : [{ url, visits }];
  });
  const known = await rowsOf<{ url: string }>(
    audit,
    `SELECT u.url FROM crawl_urls u JOIN crawl_frontier f ON f.run_id = $1 AND f.url_id = u.id WHERE u.site_id = $2 AND u.url = ANY($3::text[])`,
    [addresses.map(({ url }) => url)],
  );
  const found = new Set(known.map(({ url }) => url));
  const unknown = addresses.filter(({ url }) => !found.has(url));
  if (unknown.length === 0) return;
  const ids = await storeAddresses(
    audit.ctx,
    audit.run.siteId,
    unknown.map(({ url }) => url),
  );
  for (const [at, { url, visits }] of unknown.entries()) yield finding(audit, 'link_orphan', ids[at] ?? null, { kind: 'unknown', visits, url });
}

/** Only the links of all pages say how many clicks lead to one. */
async function* deep(audit: SiteAudit): AsyncIterable<Finding> {
  const limit = audit.rules.parameter('link_depth', 'clicks');
  const rows = await rowsOf<{ id: string; depth: number }>(
    audit,
    `SELECT p.url_id AS id, p.depth FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND ${isListed} AND p.depth > $3`,
    [limit],
  );
  for (const { id, depth } of rows) yield finding(audit, 'link_depth', Number(id), { depth, limit });
}

async function* weak(audit: SiteAudit): AsyncIterable<Finding> {
  if (audit.visits.total === 0) return;
  const share = audit.rules.parameter('link_weak', 'percent') / 100;
  const rows = await rowsOf<{ id: string; url: string }>(
    audit,
    `WITH pages AS (SELECT p.url_id, p.page_rank FROM crawl_pages p WHERE p.run_id = $1 AND ${isListed} AND p.page_rank IS NOT NULL),
     bound AS (SELECT percentile_disc($3::float8) WITHIN GROUP (ORDER BY page_rank) AS least, max(page_rank) AS most, count(*) AS n FROM pages)
     SELECT u.id, u.url FROM pages p CROSS JOIN bound b JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id WHERE b.n >= 20 AND p.page_rank <= b.least AND b.least < b.most`,
    [share],
  );
  const least = audit.rules.parameter('link_weak', 'visits');
  for (const { id, url } of rows) {
    const visits = audit.visits.of(url);
    if (visits >= least) yield finding(audit, 'link_weak', Number(id), { visits });
  }
}

export const linkGroups: readonly SiteRuleGroup[] = [
  { of: ['link_broken', 'image_broken'], run: broken },
  { of: ['link_external_broken'], run: brokenOutside },
  { of: ['link_redirected'], run: redirected },
  { of: ['link_nofollow'], run: nofollow },
  { of: ['link_fragment'], run: fragments },
  { of: ['link_orphan'], run: orphans },
  { of: ['link_depth'], run: deep },
  { of: ['link_weak'], run: weak },
];
