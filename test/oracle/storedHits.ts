import { createBuilder } from '../../server/collect/builder';
import { insertHits } from '../../server/collect/queries';
import { noId } from '../../server/collect/row';
import type { HitRow } from '../../server/collect/row';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { randomOf } from './reportFixture';
import type { RawHit } from './reportFixture';

const hex = (n: number): string => n.toString(16).padStart(16, '0');

function hitRow(siteId: string, hit: RawHit, receivedAt: number): HitRow {
  const { about } = hit;
  return {
    site_id: siteId,
    visitor_id: hex(hit.visitor),
    visitor_alt: noId,
    view_id: hex(hit.view),
    seq: hit.seq,
    kind: hit.kind,
    at: hit.at,
    received_at: receivedAt,
    host: hit.host,
    path: hit.path,
    query: '',
    title: hit.title,
    engaged_ms: hit.engagedMs,
    scroll: 0,
    name: hit.kind === 'event' ? 'click' : '',
    props: '',
    source_type: about.sourceType,
    source_name: about.sourceName,
    keyword: about.keyword,
    keyword_from: '',
    ref_host: about.refHost,
    ref_path: '',
    ref_url: '',
    utm_source: '',
    utm_medium: '',
    utm_campaign: about.campaign,
    utm_term: '',
    utm_content: '',
    click_id: '',
    device_type: about.deviceType,
    os: about.os,
    os_version: '',
    browser: about.browser,
    browser_version: '',
    screen_w: about.screenW,
    screen_h: about.screenH,
    lang: about.lang,
    country: about.country,
    province: about.province,
    city: about.city,
    isp: '',
    ip_key: hex(hit.ip),
    ip_masked: '203.0.113.x',
    bot_score: hit.botScore,
    bot_reasons: [],
    origin: 'script',
    search_term: '',
  };
}

const day = 24 * 3600 * 1000;

/** Hits through the tables and the builder of the product: some of them up to six days late, so in any order, and a fifth of them twice. */
export async function storeHits(clickhouse: ClickHouse, siteId: string, hits: readonly RawHit[], seed = 3): Promise<void> {
  const random = randomOf(seed);
  const arrival = (hit: RawHit) => hit.at + (random() < 0.6 ? 100 : Math.floor(random() * 6 * day));
  const rows = hits
    .flatMap((hit) => (random() < 0.2 ? [hit, hit] : [hit]))
    .map((hit) => hitRow(siteId, hit, arrival(hit)))
    .sort((a, b) => a.received_at - b.received_at);
  const builder = createBuilder(clickhouse, 500);
  const size = Math.ceil(rows.length / 12);
  for (let at = 0; at < rows.length; at += size) {
    const batch = rows.slice(at, at + size);
    await insertHits(clickhouse, batch, `${siteId} ${at}`);
    await builder.apply(batch);
  }
}
