import type { PageFacts } from '../../../../../contract/crawler/facts';
import type { Finding } from '../finding';
import { addressesOf, chunks, finding, linkSources, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

/** Large JPEG and PNG pictures that pages offer in no modern format. */
async function* formats(audit: SiteAudit): AsyncIterable<Finding> {
  const limit = audit.rules.parameter('image_format', 'kilobytes');
  const large = await rowsOf<{ id: string; bytes: number }>(
    audit,
    `SELECT p.url_id AS id, p.bytes FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.status = 200 AND p.mime IN ('image/jpeg', 'image/png') AND p.bytes > $3::int * 1024`,
    [limit],
  );
  const sizes = new Map(large.map(({ id, bytes }) => [Number(id), bytes]));
  if (sizes.size === 0) return;
  const byAddress = new Map([...(await addressesOf(audit, sizes.keys()))].map(([id, url]) => [url, sizes.get(id) ?? 0]));
  const sources = await linkSources(audit, ['image'], [...sizes.keys()]);
  for (const pages of chunks(
    sources.map(({ src }) => src),
    500,
  )) {
    const rows = await rowsOf<{ id: string; images: PageFacts['images'] }>(
      audit,
      `SELECT p.url_id AS id, p.facts->'images' AS images FROM crawl_pages p WHERE p.run_id = $1 AND $2 <> '' AND p.url_id = ANY($3::bigint[])`,
      [pages],
    );
    for (const { id, images } of rows) {
      const old = images.filter(({ url, modern }) => !modern && byAddress.has(url));
      const [first] = old;
      if (first)
        yield finding(audit, 'image_format', Number(id), { count: old.length, url: first.url, kilobytes: Math.round((byAddress.get(first.url) ?? 0) / 1024) });
    }
  }
}

export const imageGroups: readonly SiteRuleGroup[] = [{ of: ['image_format'], run: formats }];
