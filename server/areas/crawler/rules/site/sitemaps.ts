import type { Finding } from '../finding';
import { finding, isListed, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

async function* files(audit: SiteAudit): AsyncIterable<Finding> {
  const { sitemaps } = audit.observations;
  if (!sitemaps) return;
  if (!sitemaps.some(({ status, kind }) => status === 200 && kind !== 'unknown')) yield finding(audit, 'sitemap_missing', null);
  for (const { url, problems, entries } of sitemaps)
    if (problems[0] !== undefined) yield finding(audit, 'sitemap_invalid', null, { url, code: problems[0], count: problems.length, entries }, { subject: url });

  // Baidu matters to sites in Chinese.
  const [chinese] = await rowsOf<{ share: number | null }>(
    audit,
    `SELECT (count(*) FILTER (WHERE p.language ILIKE 'zh%'))::float8 / nullif(count(*), 0) AS share FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND ${isListed}`,
  );
  if ((chinese?.share ?? 0) < 0.5) return;
  const most = audit.rules.parameter('sitemap_baidu', 'megabytes');
  for (const { url, kind, source, bytes, status } of sitemaps) {
    if (status !== 200) continue;
    const megabytes = Math.round(bytes / 1024 / 1024);
    if (kind === 'index' && source !== 'index') yield finding(audit, 'sitemap_baidu', null, { kind: 'index', url, megabytes, limit: most }, { subject: url });
    else if (bytes > most * 1024 * 1024) yield finding(audit, 'sitemap_baidu', null, { kind: 'size', url, megabytes, limit: most }, { subject: url });
  }
}

async function* pages(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ id: string; status: number; reason: string }>(
    audit,
    `SELECT p.url_id AS id, p.status, p.index_reason AS reason FROM crawl_pages p
     WHERE p.run_id = $1 AND $2 <> '' AND p.internal AND p.in_sitemap AND p.index_reason NOT IN ('ok', 'not_html')
     UNION ALL SELECT f.url_id, 0, 'robots' FROM crawl_frontier f WHERE f.run_id = $1 AND f.source = 'sitemap' AND f.state = 2 AND f.skip_reason = 'robots'`,
  );
  for (const { id, status, reason } of rows) yield finding(audit, 'sitemap_wrong_pages', Number(id), { reason, status });
}

/** Entries from which a pattern in `lastmod` means something. */
const fewest = 20;

/** `lastmod` that says "now" for everything, or changes while the page does not, teaches search engines to ignore it. */
async function* lastmods(audit: SiteAudit): AsyncIterable<Finding> {
  const entries = audit.observations.lastmods ?? [];
  if (entries.length < fewest) return;
  const limit = audit.rules.parameter('sitemap_lastmod', 'percent');
  const [run] = await rowsOf<{ started: Date; before: { lastmods?: typeof entries } | null }>(
    audit,
    `SELECT coalesce(r.started_at, r.created_at) AS started, (SELECT b.observations FROM crawl_runs b WHERE b.id = $3::uuid) AS before FROM crawl_runs r WHERE r.id = $1 AND r.site_id = $2`,
    [audit.previous[0] ?? null],
  );
  if (!run) return;
  const moments = new Set(entries.map(({ lastmod }) => Date.parse(lastmod)));
  const [only] = moments;
  const day = 24 * 60 * 60 * 1000;
  if (moments.size === 1 && only !== undefined && Math.abs(run.started.getTime() - only) < day) {
    yield finding(audit, 'sitemap_lastmod', null, { kind: 'same', percent: 100, count: entries.length });
    return;
  }
  const before = new Map((run.before?.lastmods ?? []).map(({ url, lastmod }) => [url, lastmod]));
  const moved = entries.filter(({ url, lastmod }) => (before.get(url) ?? lastmod) !== lastmod).map(({ url }) => url);
  if (moved.length === 0) return;
  const [unchanged] = await rowsOf<{ n: string }>(
    audit,
    `SELECT count(*) AS n FROM crawl_urls u JOIN crawl_pages p ON p.run_id = $1 AND p.url_id = u.id JOIN crawl_pages b ON b.run_id = $3::uuid AND b.url_id = u.id
     WHERE u.site_id = $2 AND u.url = ANY($4::text[]) AND p.text_hash = b.text_hash AND p.title IS NOT DISTINCT FROM b.title`,
    [audit.previous[0] ?? null, moved],
  );
  const percent = Math.round((Number(unchanged?.n ?? 0) / entries.length) * 100);
  if (percent >= limit) yield finding(audit, 'sitemap_lastmod', null, { kind: 'unchanged', percent, count: Number(unchanged?.n ?? 0) });
}

export const sitemapGroups: readonly SiteRuleGroup[] = [
  { of: ['sitemap_missing', 'sitemap_invalid', 'sitemap_baidu'], run: files },
  { of: ['sitemap_wrong_pages'], run: pages },
  { of: ['sitemap_lastmod'], run: lastmods },
];
