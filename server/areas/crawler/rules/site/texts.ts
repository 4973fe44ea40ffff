import type { RuleId } from '../../../../../contract/crawler/rules';
import type { Finding } from '../finding';
import { shortened } from '../pages/group';
import { addressesOf, finding, isListed, isPage, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';
import { hamming, nearPairs, simhashOf } from './simhash';

type Duplicated = { readonly id: string; readonly n: string; readonly url: string; readonly text: string };
/** Columns are from this list, never from input. */
const columns = { title: 'p.title', description: 'p.description', text: `encode(p.text_hash, 'hex')` } as const;

async function* same(audit: SiteAudit, rule: RuleId, of: keyof typeof columns, where = 'true'): AsyncIterable<Finding> {
  const value = columns[of];
  const rows = await rowsOf<Duplicated>(
    audit,
    `WITH pages AS (SELECT p.url_id, ${value} AS value FROM crawl_pages p WHERE p.run_id = $1 AND ${isListed} AND coalesce(${value}, '') <> '' AND ${where}),
     groups AS (SELECT value, count(*) AS n, min(url_id) AS first, max(url_id) AS last FROM pages GROUP BY value HAVING count(*) > 1)
     SELECT p.url_id AS id, g.n, u.url, p.value AS text FROM pages p JOIN groups g ON g.value = p.value
     JOIN crawl_urls u ON u.site_id = $2 AND u.id = CASE WHEN p.url_id = g.first THEN g.last ELSE g.first END`,
  );
  for (const { id, n, url, text } of rows)
    yield finding(audit, rule, Number(id), of === 'text' ? { count: Number(n), url } : { count: Number(n), url, text: shortened(text) });
}

async function* duplicates(audit: SiteAudit): AsyncIterable<Finding> {
  yield* same(audit, 'title_duplicate', 'title');
  yield* same(audit, 'description_duplicate', 'description');
  yield* same(audit, 'content_duplicate', 'text', 'p.units > 0');
}

type Text = {
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly hash: string | null;
  readonly simhash: string;
  readonly units: number;
  readonly listed: boolean;
};

/** Pages alike beyond those with the very same text. */
async function* similar(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ id: string; simhash: string }>(
    audit,
    `SELECT DISTINCT ON (coalesce(p.text_hash, int8send(p.url_id))) p.url_id AS id, p.simhash::text AS simhash FROM crawl_pages p
     WHERE p.run_id = $1 AND $2 <> '' AND ${isListed} AND p.simhash IS NOT NULL AND p.units >= $3::int ORDER BY coalesce(p.text_hash, int8send(p.url_id)), p.url_id`,
    [audit.rules.parameter('content_similar', 'units')],
  );
  const near = await nearPairs(
    rows.map(({ simhash }) => simhashOf(simhash)),
    audit.rules.parameter('content_similar', 'distance'),
  );
  const idAt = (at: number): number => Number(rows[at]?.id ?? 0);
  const addresses = await addressesOf(
    audit,
    [...near.values()].map(({ other }) => idAt(other)),
  );
  for (const [at, { count, other }] of near) yield finding(audit, 'content_similar', idAt(at), { count, url: addresses.get(idAt(other)) ?? '' });
}

/** If more pages than this share of a host look like its response to a random address, all pages are one shell that scripts fill. */
const shellShare = 0.5;

async function* soft404(audit: SiteAudit): AsyncIterable<Finding> {
  const distance = audit.rules.parameter('http_soft_404', 'distance');
  for (const { host, probe } of audit.observations.hosts) {
    if (!probe || probe.textHash === '') continue;
    const rows = await rowsOf<Text>(
      audit,
      `SELECT p.url_id AS id, u.url, encode(p.text_hash, 'hex') AS hash, p.simhash::text AS simhash FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id
       WHERE p.run_id = $1 AND ${isPage} AND p.simhash IS NOT NULL AND split_part(u.url, '/', 3) = $3`,
      [host],
    );
    const error = simhashOf(BigInt(`0x${probe.simhash}`));
    const alike = rows.filter(
      ({ url, hash, simhash }) => new URL(url).pathname !== '/' && (hash === probe.textHash || hamming(simhashOf(simhash), error) <= distance),
    );
    if (alike.length > Math.max(1, rows.length * shellShare)) continue;
    for (const { id } of alike) yield finding(audit, 'http_soft_404', Number(id), { title: shortened(probe.title, 80) });
  }
}

export const textGroups: readonly SiteRuleGroup[] = [
  { of: ['title_duplicate', 'description_duplicate', 'content_duplicate'], run: duplicates },
  { of: ['content_similar'], run: similar },
  { of: ['http_soft_404'], run: soft404 },
];
