import { crawlLimits } from '../../../../../contract/crawler/terms';
import type { Finding } from '../finding';
import { addressesOf, finding, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

/** The redirects that follow one address. `end`: null in a loop or beyond the limit. */
export function followRedirects(targets: ReadonlyMap<number, number>, from: number): { readonly hops: number; readonly end: number | null } {
  const passed = new Set([from]);
  let at = from;
  for (let next = targets.get(at); next !== undefined; next = targets.get(at)) {
    if (passed.has(next) || passed.size > crawlLimits.redirects) return { hops: passed.size, end: null };
    passed.add(next);
    at = next;
  }
  return { hops: passed.size - 1, end: at };
}

async function* chains(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ id: string; target: string; internal: boolean }>(
    audit,
    `SELECT p.url_id AS id, p.redirect_to AS target, p.internal FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.redirect_to IS NOT NULL`,
  );
  const targets = new Map(rows.map(({ id, target }) => [Number(id), Number(target)]));
  const most = audit.rules.parameter('redirect_chain', 'hops');
  const found = rows
    .filter(({ internal }) => internal)
    .map(({ id }) => ({ id: Number(id), ...followRedirects(targets, Number(id)) }))
    .filter(({ hops, end }) => end === null || hops > most);
  const addresses = await addressesOf(
    audit,
    found.map(({ id, end }) => end ?? targets.get(id) ?? id),
  );
  for (const { id, hops, end } of found) {
    if (end === null) yield finding(audit, 'redirect_loop', id, { hops, url: addresses.get(targets.get(id) ?? id) ?? '' });
    else yield finding(audit, 'redirect_chain', id, { hops, url: addresses.get(end) ?? '' });
  }
}

/** A redirect that calls itself temporary and was the same in several runs. */
async function* temporary(audit: SiteAudit): AsyncIterable<Finding> {
  const runs = audit.rules.parameter('redirect_temporary', 'runs');
  const before = audit.previous.slice(0, runs - 1);
  if (before.length < runs - 1) return;
  const rows = await rowsOf<{ id: string; status: number; url: string }>(
    audit,
    `SELECT p.url_id AS id, p.status, u.url FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.redirect_to
     WHERE p.run_id = $1 AND p.internal AND p.status IN (302, 303, 307) AND (
       SELECT count(*) FROM crawl_pages b WHERE b.run_id = ANY($3::uuid[]) AND b.url_id = p.url_id AND b.status = p.status AND b.redirect_to = p.redirect_to
     ) = cardinality($3::uuid[])`,
    [before],
  );
  for (const { id, status, url } of rows) yield finding(audit, 'redirect_temporary', Number(id), { status, runs, url });
}

export const redirectGroups: readonly SiteRuleGroup[] = [
  { of: ['redirect_chain', 'redirect_loop'], run: chains },
  { of: ['redirect_temporary'], run: temporary },
];
