import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { randomOf } from './reportFixture';
import type { Visit } from './reportOracle';

const noTime = '1970-01-01 00:00:00.000';
const stamp = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/**
 * Writes visits as the builder does, and around each what a busy store holds: versions that later hits replaced (fewer views,
 * other values), the same row twice, and visits that moved and left a tombstone. None of it may show in a report.
 */
export async function storeVisits(clickhouse: ClickHouse, siteId: string, visits: readonly Visit[], seed = 1): Promise<void> {
  const random = randomOf(seed);
  const batches: object[][] = [[], [], []];
  for (const [index, visit] of visits.entries()) {
    const id = String(1000 + index);
    const row = visitRow(siteId, id, visit);
    const kind = random();
    if (kind < 0.25) {
      const early = { ...visit, views: visit.views.slice(0, 1), events: 0, last: visit.start, engagedMs: 0 };
      batches[0]?.push({ ...visitRow(siteId, id, early), version: 1, country: 'XX' });
    } else if (kind < 0.4) {
      const moved = visitRow(siteId, id, {
        ...visit,
        start: visit.start + 60_000,
        last: visit.last + 60_000,
        views: visit.views.map((v) => ({ ...v, at: v.at + 60_000 })),
      });
      batches[0]?.push({ ...moved, version: 1 });
      batches[2]?.push({ ...moved, version: 2, deleted: 1 });
    } else if (kind < 0.5) batches[2]?.push({ ...row, version: 3 });
    batches[1]?.push({ ...row, version: 3 });
  }
  for (const batch of batches) await clickhouse.insert('visits', batch);
}

function visitRow(siteId: string, id: string, visit: Visit): Record<string, unknown> {
  const { about, views } = visit;
  return {
    site_id: siteId,
    visit_id: id,
    deleted: 0,
    visitor_id: String(visit.visitor),
    start: stamp(visit.start),
    last: stamp(visit.last),
    received_at: stamp(visit.last + 100),
    pv: views.length,
    upv: new Set(views.map((v) => v.path)).size,
    events: visit.events,
    engaged_ms: visit.engagedMs,
    bounce: views.length === 1 && visit.events === 0 ? 1 : 0,
    is_new: visit.isNew ? 1 : 0,
    visit_no: 1,
    prev_start: noTime,
    host: views[0]?.host ?? '',
    entry_path: views[0]?.path ?? '',
    exit_path: views.at(-1)?.path ?? '',
    source_type: about.sourceType,
    source_name: about.sourceName,
    keyword: about.keyword,
    ref_host: about.refHost,
    utm_campaign: about.campaign,
    device_type: about.deviceType,
    os: about.os,
    browser: about.browser,
    screen_w: about.screenW,
    screen_h: about.screenH,
    lang: about.lang,
    country: about.country,
    province: about.province,
    city: about.city,
    ip_key: String(visit.ip),
    ip_masked: '203.0.113.x',
    bot_score: visit.botScore,
    bot_reasons: visit.botScore >= 50 ? ['test'] : [],
    view_id: views.map((_v, i) => String(Number(id) * 1000 + i)),
    view_at: views.map((v) => v.at - visit.start),
    view_host: views.map((v) => v.host),
    view_path: views.map((v) => v.path),
    view_title: views.map((v) => v.title),
    view_engaged: views.map(() => 0),
    view_scroll: views.map(() => 0),
    view_events: views.map(() => 0),
  };
}
