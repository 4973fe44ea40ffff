import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { randomOf } from './reportFixture';
import type { Visit } from './values';
import { aboutColumns } from './storedHits';

const noTime = '1970-01-01 00:00:00.000';
const stamp = (at: number): string => (at === 0 ? noTime : new Date(at).toISOString().replace('T', ' ').replace('Z', ''));

/**
 * Writes visits as the builder does, with everything a busy store contains around them: versions replaced by later hits (fewer views,
 * other values), repeated rows, and visits whose key changed and left a tombstone. None of it may appear in a report.
 */
export async function storeVisits(clickhouse: ClickHouse, siteId: string, visits: readonly Visit[], seed = 1): Promise<void> {
  const random = randomOf(seed);
  const batches: object[][] = [[], [], []];
  for (const [index, visit] of visits.entries()) {
    const id = String(1000 + index);
    const row = visitRow(siteId, id, visit);
    const kind = random();
    if (kind < 0.25) {
      const early = { ...visit, views: visit.views.slice(0, 1), events: [], last: visit.start, engaged: 0 };
      batches[0]?.push({ ...visitRow(siteId, id, early), version: 1, country: 'XX' });
    } else if (kind < 0.4) {
      const later = <T extends { at: number }>(one: T): T => ({ ...one, at: one.at + 60_000 });
      const moved = { ...visit, start: visit.start + 60_000, last: visit.last + 60_000, views: visit.views.map(later), events: visit.events.map(later) };
      batches[0]?.push({ ...visitRow(siteId, id, moved), version: 1 });
      batches[2]?.push({ ...visitRow(siteId, id, moved), version: 2, deleted: 1 });
    } else if (kind < 0.5) batches[2]?.push({ ...row, version: 3 });
    batches[1]?.push({ ...row, version: 3 });
  }
  for (const batch of batches) await clickhouse.insert('visits', batch);
}

function visitRow(siteId: string, id: string, visit: Visit): Record<string, unknown> {
  const { about, views, events } = visit;
  return {
    site_id: siteId,
    visit_id: id,
    deleted: 0,
    visitor_id: BigInt(`0x${visit.visitor}`).toString(),
    start: stamp(visit.start),
    last: stamp(visit.last),
    received_at: stamp(visit.last + 100),
    pv: views.length,
    upv: visit.paths,
    events: events.length,
    engaged_ms: visit.engaged,
    bounce: visit.bounce ? 1 : 0,
    is_new: visit.number === 1 ? 1 : 0,
    visit_no: visit.number,
    prev_start: stamp(visit.previous),
    host: views[0]?.host ?? '',
    entry_path: visit.entry,
    exit_path: visit.exit,
    ...aboutColumns(about),
    source_type: visit.source,
    ip_key: String(about.ip),
    ip_masked: '203.0.113.x',
    bot_score: visit.botScore,
    bot_reasons: visit.botReasons,
    origin: visit.origin,
    view_id: views.map((view) => BigInt(`0x${view.id}`).toString()),
    view_at: views.map((view) => view.at - visit.start),
    view_host: views.map((view) => view.host),
    view_path: views.map((view) => view.path),
    view_title: views.map((view) => view.title),
    view_search: views.map((view) => view.search),
    view_engaged: views.map((view) => view.engaged),
    view_scroll: views.map((view) => view.scroll),
    view_events: views.map((view) => view.events),
    event_at: events.map((event) => event.at - visit.start),
    event_name: events.map((event) => event.name),
    event_props: events.map((event) => event.props),
    event_view: events.map((event) => event.view),
  };
}
