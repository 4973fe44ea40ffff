import type { Finding } from '../finding';
import { addressesOf, chunks, finding, linkPairs, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

type Target = { readonly status: number; readonly error: string | null; readonly reason: string };

const problemOf = ({ status, error, reason }: Target): string | null => {
  if (error !== null || status >= 400 || status === 0) return 'status';
  if (status >= 300) return 'redirect';
  return reason === 'noindex' || reason === 'canonical' ? reason : null;
};

/** Alternates must be pages that search engines may list, and must name each other. */
async function* alternates(audit: SiteAudit): AsyncIterable<Finding> {
  const pairs: { src: number; dst: number }[] = [];
  for await (const some of linkPairs(audit, `l.kind = 'hreflang'`)) for (const { src, dst } of some) pairs.push({ src, dst });
  const targets = new Map<number, Target>();
  for (const ids of chunks([...new Set(pairs.map(({ dst }) => dst))])) {
    const rows = await rowsOf<Target & { id: string }>(
      audit,
      `SELECT p.url_id AS id, p.status, p.error, p.index_reason AS reason FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.url_id = ANY($3::bigint[])`,
      [ids],
    );
    for (const { id, ...target } of rows) targets.set(Number(id), target);
  }
  const named = new Set(pairs.map(({ src, dst }) => `${String(src)} ${String(dst)}`));
  const bad = new Map<number, { kind: string; dst: number }>();
  const oneWay = new Map<number, { dst: number; count: number }>();
  for (const { src, dst } of pairs) {
    const target = targets.get(dst);
    if (!target || src === dst) continue;
    const problem = problemOf(target);
    if (problem !== null) {
      if (!bad.has(src)) bad.set(src, { kind: problem, dst });
    } else if (!named.has(`${String(dst)} ${String(src)}`)) oneWay.set(src, { dst, count: (oneWay.get(src)?.count ?? 0) + 1 });
  }
  const addresses = await addressesOf(
    audit,
    [...bad.values(), ...oneWay.values()].map(({ dst }) => dst),
  );
  for (const [src, { kind, dst }] of bad) yield finding(audit, 'hreflang_bad', src, { kind, language: '', url: addresses.get(dst) ?? '' });
  for (const [src, { dst, count }] of oneWay) yield finding(audit, 'hreflang_no_return', src, { count, url: addresses.get(dst) ?? '' });
}

export const languageGroups: readonly SiteRuleGroup[] = [{ of: ['hreflang_bad', 'hreflang_no_return'], run: alternates }];
