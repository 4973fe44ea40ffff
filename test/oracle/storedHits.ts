import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { noId } from '../../server/collect/row';
import type { HitRow } from '../../server/collect/row';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { randomOf } from './reportFixture';
import type { About, RawHit } from './reportFixture';

export const hexId = (n: number): string => n.toString(16).padStart(16, '0');

/** The attributes of a visit under their column names. */
export const aboutColumns = (about: About) => ({
  source_type: about.sourceType,
  source_name: about.sourceName,
  keyword: about.keyword,
  keyword_from: about.keywordFrom,
  ref_host: about.refHost,
  ref_path: about.refPath,
  ref_url: about.refUrl,
  utm_source: about.utmSource,
  utm_medium: about.utmMedium,
  utm_campaign: about.campaign,
  utm_term: about.utmTerm,
  utm_content: about.utmContent,
  click_id: about.clickId,
  device_type: about.deviceType,
  os: about.os,
  os_version: about.osVersion,
  browser: about.browser,
  browser_version: about.browserVersion,
  screen_w: about.screenW,
  screen_h: about.screenH,
  lang: about.lang,
  country: about.country,
  province: about.province,
  city: about.city,
  isp: about.isp,
});

const hitRow = (siteId: string, hit: RawHit, receivedAt: number): HitRow => ({
  site_id: siteId,
  visitor_id: hexId(hit.visitor),
  visitor_alt: noId,
  view_id: hexId(hit.view),
  seq: hit.seq,
  kind: hit.kind,
  at: hit.at,
  received_at: receivedAt,
  host: hit.host,
  path: hit.path,
  query: '',
  title: hit.title,
  engaged_ms: hit.engagedMs,
  scroll: hit.scroll,
  name: hit.name,
  props: hit.props,
  ...aboutColumns(hit.about),
  ip_key: hexId(hit.ip),
  ip_masked: '203.0.113.x',
  bot_score: hit.botScore,
  bot_reasons: [],
  origin: hit.origin,
  search_term: hit.search,
});

const day = 24 * 3600 * 1000;

/** Sends hits through the product's tables and builder: some up to six days late, hence unordered, and a fifth of them twice. */
export async function storeHits(clickhouse: ClickHouse, siteId: string, hits: readonly RawHit[], seed = 3): Promise<void> {
  const random = randomOf(seed);
  const arrival = (hit: RawHit) => hit.at + (random() < 0.6 ? 100 : Math.floor(random() * 6 * day));
  const rows = hits
    .flatMap((hit) => (random() < 0.2 ? [hit, hit] : [hit]))
    .map((hit) => hitRow(siteId, hit, arrival(hit)))
    .sort((a, b) => a.received_at - b.received_at);
  const builder = createBuilder(clickhouse, { cacheBytes: 500_000 });
  const size = Math.ceil(rows.length / 12);
  for (let at = 0; at < rows.length; at += size) {
    const batch = rows.slice(at, at + size);
    await insertHits(clickhouse, batch, `${siteId} ${seed} ${at}`);
    await builder.apply(batch);
  }
}
