import { createHash } from 'node:crypto';
import type { DeviceColumns, HitOrigin, HitRow, PlaceColumns, SourceColumns } from './row';

/**
 * From the hits of one visitor to visits. Everything here is a pure function of the set of hits, so that hits may come
 * late, twice and in any order, and a visit can be derived again at any time with the same result.
 *
 * - A hit is named by (view, seq); of several copies the first received counts.
 * - A visit goes on as long as no gap between its hits is longer than `gapMs`, on event time. No hour, midnight or
 *   campaign cuts it.
 * - A `view` or an `event` begins a visit; an `engage` ping only carries one on. A tab that is looked at again after an
 *   hour without a click is not a new visit.
 * - `pv` counts `view` hits by view id, so the page views of all visits are the page views of all hits. A view whose
 *   `view` hit never came is not counted: its other hits carry the visit on, and its events and engaged time count.
 * - A visit holds at most `maxHits` hits: more is a program, and a row must stay bounded.
 * - A visit spans at most `maxSpanMs`; what comes later begins another. `visits` is ordered by beginning, so this is what
 *   lets a report find every visit that reaches into its range without reading all that came before: it scans those with
 *   `start >= from - maxSpanMs`. Nobody reads a site for a day without half an hour's pause; open tabs and programs do.
 */
export const gapMs = 30 * 60 * 1000;
export const maxHits = 5000;
export const maxSpanMs = 24 * 3600 * 1000;

/** One visit as it is stored: the columns of `visits` without `version` and `deleted`. Ids are hex, times epoch ms. */
export type VisitRow = {
  site_id: string;
  visit_id: string;
  visitor_id: string;
  start: number;
  last: number;
  received_at: number;
  pv: number;
  upv: number;
  events: number;
  engaged_ms: number;
  bounce: 0 | 1;
  is_new: 0 | 1;
  visit_no: number;
  prev_start: number;
  host: string;
  entry_path: string;
  exit_path: string;
  screen_w: number;
  screen_h: number;
  lang: string;
  ip_key: string;
  ip_masked: string;
  bot_score: number;
  bot_reasons: string[];
  view_id: string[];
  view_at: number[];
  view_host: string[];
  view_path: string[];
  view_title: string[];
  view_engaged: number[];
  view_scroll: number[];
  view_events: number[];
  origin: HitOrigin;
  view_search: string[];
  event_at: number[];
  event_name: string[];
  event_props: string[];
  event_view: number[];
} & SourceColumns &
  DeviceColumns &
  PlaceColumns;

/** What came before: number of visits, and the start of the last of them (epoch ms, 0 when there is none). */
export type Before = { readonly count: number; readonly start: number };

/**
 * Events whose name begins with `$` are the program's own. Most (vitals, for one) say nothing about interest; a link that somebody
 * followed, a file that somebody took and a form that somebody sent do.
 */
const clicks: ReadonlySet<string> = new Set(['$outbound', '$download', '$form']);
export const isInteractive = (hit: HitRow): boolean => hit.kind === 'event' && (!hit.name.startsWith('$') || clicks.has(hit.name));

const hitName = (hit: HitRow): string => `${hit.view_id}${hit.seq}`;

/** All hits of both lists, each name once; the first received copy stays. The order of the answer means nothing. */
export function mergeHits(known: readonly HitRow[], added: readonly HitRow[]): HitRow[] {
  const byName = new Map<string, HitRow>();
  for (const hits of [known, added]) {
    for (const hit of hits) {
      const name = hitName(hit);
      const copy = byName.get(name);
      if (copy === undefined || hit.received_at < copy.received_at || (hit.received_at === copy.received_at && hit.at < copy.at)) byName.set(name, hit);
    }
  }
  return [...byName.values()];
}

/** By time; what can begin a visit before what cannot; then by id, so that one millisecond has one order. */
function inOrder(a: HitRow, b: HitRow): number {
  return a.at - b.at || Number(a.kind === 'engage') - Number(b.kind === 'engage') || (a.view_id < b.view_id ? -1 : a.view_id > b.view_id ? 1 : a.seq - b.seq);
}

/**
 * The visits of `visitorId`, oldest first. `hits`: each hit once (`mergeHits`), all of them from some moment on that lies
 * more than `gapMs` behind the last visit counted in `before`.
 */
export function deriveVisits(visitorId: string, hits: readonly HitRow[], before: Before): VisitRow[] {
  const runs: HitRow[][] = [];
  let run: HitRow[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const hit of [...hits].sort(inOrder)) {
    // Hits of one millisecond stay together, so that the cut does not depend on what else is known.
    const full = (run.length >= maxHits && hit.at > last) || hit.at - (run[0]?.at ?? hit.at) > maxSpanMs;
    if (hit.at - last > gapMs || full) {
      if (hit.kind === 'engage') continue;
      run = [];
      runs.push(run);
    }
    run.push(hit);
    last = hit.at;
  }

  let { count, start } = before;
  return runs.map((one) => {
    count += 1;
    const visit = makeVisit(visitorId, one, count, start);
    start = visit.start;
    return visit;
  });
}

type View = { readonly opened: HitRow; title: string; titleSeq: number; engaged: number; scroll: number; events: number };

function makeVisit(visitorId: string, hits: readonly HitRow[], visitNo: number, prevStart: number): VisitRow {
  const first = hits[0] as HitRow;
  const views = viewsOf(hits);
  const opened = [...views.values()];
  // The page that opened the visit tells its source; a visit of events alone has only its first event to tell.
  const lead = opened[0]?.opened ?? first;
  const final = hits[hits.length - 1] as HitRow;
  const events = hits.filter((hit) => hit.kind === 'event');
  const numberOf = new Map([...views.keys()].map((id, index) => [id, index + 1]));
  return {
    site_id: lead.site_id,
    visit_id: opened[0] === undefined ? eventVisitId(first) : lead.view_id,
    visitor_id: visitorId,
    start: first.at,
    last: final.at,
    received_at: Math.max(...hits.map((hit) => hit.received_at)),
    pv: opened.length,
    upv: new Set(opened.map((view) => view.opened.path)).size,
    events: events.length,
    engaged_ms: opened.reduce((sum, view) => sum + view.engaged, 0) + engagedElsewhere(hits, views),
    bounce: opened.length === 1 && !hits.some(isInteractive) ? 1 : 0,
    is_new: visitNo === 1 ? 1 : 0,
    visit_no: visitNo,
    prev_start: prevStart,
    host: lead.host,
    entry_path: lead.path,
    exit_path: (opened[opened.length - 1]?.opened ?? final).path,
    // Events tell no referrer: one that brings a visitor back to an open page has come from the site itself.
    source_type: opened.length === 0 && visitNo > 1 && lead.source_type === 'direct' ? 'internal' : lead.source_type,
    source_name: lead.source_name,
    keyword: lead.keyword,
    keyword_from: lead.keyword_from,
    ref_host: lead.ref_host,
    ref_path: lead.ref_path,
    ref_url: lead.ref_url,
    utm_source: lead.utm_source,
    utm_medium: lead.utm_medium,
    utm_campaign: lead.utm_campaign,
    utm_term: lead.utm_term,
    utm_content: lead.utm_content,
    click_id: lead.click_id,
    device_type: lead.device_type,
    os: lead.os,
    os_version: lead.os_version,
    browser: lead.browser,
    browser_version: lead.browser_version,
    screen_w: lead.screen_w,
    screen_h: lead.screen_h,
    lang: lead.lang,
    country: lead.country,
    province: lead.province,
    city: lead.city,
    isp: lead.isp,
    ip_key: lead.ip_key,
    ip_masked: lead.ip_masked,
    bot_score: Math.max(...hits.map((hit) => hit.bot_score)),
    bot_reasons: [...new Set(hits.flatMap((hit) => hit.bot_reasons))].sort(),
    view_id: opened.map((view) => view.opened.view_id),
    view_at: opened.map((view) => view.opened.at - first.at),
    view_host: opened.map((view) => view.opened.host),
    view_path: opened.map((view) => view.opened.path),
    view_title: opened.map((view) => view.title),
    view_engaged: opened.map((view) => view.engaged),
    view_scroll: opened.map((view) => view.scroll),
    view_events: opened.map((view) => view.events),
    origin: lead.origin,
    view_search: opened.map((view) => view.opened.search_term),
    event_at: events.map((event) => event.at - first.at),
    event_name: events.map((event) => event.name),
    event_props: events.map((event) => event.props),
    event_view: events.map((event) => numberOf.get(event.view_id) ?? 0),
  };
}

/** The views opened in a visit, in order. `m` is cumulative, so a view's engaged time is its largest. */
function viewsOf(hits: readonly HitRow[]): Map<string, View> {
  const views = new Map<string, View>();
  for (const hit of hits) {
    if (hit.kind === 'view' && !views.has(hit.view_id)) views.set(hit.view_id, { opened: hit, title: '', titleSeq: -1, engaged: 0, scroll: 0, events: 0 });
  }
  for (const hit of hits) {
    const view = views.get(hit.view_id);
    if (view === undefined) continue;
    view.engaged = Math.max(view.engaged, hit.engaged_ms);
    view.scroll = Math.max(view.scroll, hit.scroll);
    if (hit.kind === 'event') view.events += 1;
    // Single-page applications set the title after the address: the latest one known is the page's.
    if (hit.title !== '' && hit.seq > view.titleSeq) Object.assign(view, { title: hit.title, titleSeq: hit.seq });
  }
  return views;
}

/** Engaged time on views that were opened before this visit (or whose opening was lost): what was added within it. */
function engagedElsewhere(hits: readonly HitRow[], views: ReadonlyMap<string, View>): number {
  const spans = new Map<string, { least: number; most: number }>();
  for (const hit of hits) {
    if (hit.kind !== 'engage' || views.has(hit.view_id)) continue;
    const span = spans.get(hit.view_id);
    spans.set(hit.view_id, { least: Math.min(span?.least ?? hit.engaged_ms, hit.engaged_ms), most: Math.max(span?.most ?? 0, hit.engaged_ms) });
  }
  return [...spans.values()].reduce((sum, { least, most }) => sum + most - least, 0);
}

/** A visit without a page view is named after its first event: the view's own id belongs to the visit that opened it. */
function eventVisitId(first: HitRow): string {
  return createHash('sha256').update(hitName(first)).digest('hex').slice(0, 16);
}
