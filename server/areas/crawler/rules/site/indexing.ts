import { robotsProblemsOf } from '../../../../../contract/seo/robotsLint';
import type { Finding } from '../finding';
import { finding, isPage, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

async function* noindex(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ id: string; url: string; in_sitemap: boolean }>(
    audit,
    `SELECT p.url_id AS id, u.url, p.in_sitemap FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id
     WHERE p.run_id = $1 AND ${isPage} AND p.index_reason = 'noindex'`,
  );
  for (const { id, url, in_sitemap: inSitemap } of rows) {
    const visits = audit.visits.of(url);
    const kind = inSitemap ? 'sitemap' : visits > 0 ? 'visited' : 'alone';
    yield finding(audit, 'index_noindex', Number(id), { kind, visits }, { severity: kind === 'alone' ? 'notice' : 'warning' });
  }
}

/** Hosts of the site: those with pages of the run. */
const ownHosts = `SELECT DISTINCT o.host FROM crawl_pages p JOIN crawl_urls o ON o.site_id = $2 AND o.id = p.url_id WHERE p.run_id = $1 AND p.internal`;

async function* blocked(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ id: string; source: string }>(
    audit,
    `SELECT f.url_id AS id, f.source FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id
     WHERE f.run_id = $1 AND f.state = 2 AND f.skip_reason = 'robots' AND f.source NOT IN ('resource', 'external') AND u.host IN (${ownHosts})`,
  );
  for (const { id, source } of rows) yield finding(audit, 'index_blocked', Number(id), { kind: source === 'sitemap' ? 'sitemap' : 'link' });
}

async function* robots(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ origin: string; status: number; body: string; blocked: string }>(
    audit,
    `SELECT r.origin, r.status, r.body, (
       SELECT count(*) FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id
       WHERE f.run_id = $1 AND f.skip_reason = 'robots' AND f.source = 'resource' AND starts_with(u.url, r.origin || '/')
     ) AS blocked
     FROM crawl_robots r WHERE r.run_id = $1 AND (
       substring(r.origin from '^https?://(.*)$') IN (${ownHosts}) OR substring(r.origin from '^https?://(.*?)(?::[0-9]+)?$') IN (${ownHosts})
       OR r.origin IN (SELECT substring(u.url from '^https?://[^/]*') FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id WHERE f.run_id = $1 AND f.source = 'seed'))`,
  );
  for (const { origin, status, body, blocked: resources } of rows) {
    const options = { subject: origin };
    if (status === 0 || status === 429 || status >= 500) yield finding(audit, 'robots_unreachable', null, { origin, status }, options);
    if (status < 200 || status > 299) continue;
    const problems = robotsProblemsOf(body).filter(({ code }) => code !== 'blocks_assets');
    const codes: { readonly code: string; readonly line: number }[] = problems.map(({ code, line }) => ({ code, line: line ?? 0 }));
    const host = new URL(origin).host;
    if (audit.observations.hosts.some((one) => one.host === host && one.robotsMark === true)) codes.push({ code: 'byte_order_mark', line: 1 });
    if (Number(resources) > 0) codes.push({ code: 'blocks_assets', line: 0 });
    if (codes[0]) yield finding(audit, 'robots_problem', null, { origin, count: codes.length, ...codes[0] }, options);
  }
}

async function* canonicals(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{
    id: string;
    url: string;
    status: number | null;
    error: string | null;
    reason: string | null;
    skipped: string | null;
    next: boolean;
  }>(
    audit,
    `SELECT p.url_id AS id, u.url, t.status, t.error, t.index_reason AS reason, f.skip_reason AS skipped,
       coalesce(t.canonical_id <> t.url_id, false) AS next
     FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.canonical_id
     LEFT JOIN crawl_pages t ON t.run_id = $1 AND t.url_id = p.canonical_id
     LEFT JOIN crawl_frontier f ON f.run_id = $1 AND f.url_id = p.canonical_id
     WHERE p.run_id = $1 AND ${isPage} AND p.canonical_id <> p.url_id`,
  );
  for (const { id, url, status, error, reason, skipped, next } of rows) {
    const problem =
      skipped === 'robots'
        ? 'robots'
        : status === null
          ? null
          : error !== null || status >= 400
            ? 'status'
            : status >= 300
              ? 'redirect'
              : reason === 'noindex'
                ? 'noindex'
                : null;
    if (problem !== null) yield finding(audit, 'canonical_broken', Number(id), { kind: problem, status: status ?? 0, url });
    else if (next) yield finding(audit, 'canonical_chain', Number(id), { url });
  }
}

export const indexingGroups: readonly SiteRuleGroup[] = [
  { of: ['index_noindex'], run: noindex },
  { of: ['index_blocked'], run: blocked },
  { of: ['robots_unreachable', 'robots_problem'], run: robots },
  { of: ['canonical_broken', 'canonical_chain'], run: canonicals },
];
