import { createHash } from 'node:crypto';
import { defaultVisitRules, maxHits, maxSpanMs, maxText, mostHits, mostText } from './visitRules';
import type { VisitRules } from './visitRules';
import type { VisitLead, VisitRow } from './visitRow';
import type { HitRow } from './row';

/** One page view of an unfinished visit. `number`: its index among the opened views, from 1; 0 until its `view` hit arrives. */
export type ViewDraft = {
  readonly id: string;
  number: number;
  at: number;
  host: string;
  path: string;
  search: string;
  title: string;
  titleSeq: number;
  engaged: number;
  scroll: number;
  events: number;
  /** Lowest and highest cumulative engaged time in pings; -1 if there were none. */
  leastEngaged: number;
  mostEngaged: number;
  /** Its hits within this visit, flattened: sequence number, time of receipt and time (epoch ms) of each. */
  copies: number[];
};
export type EventDraft = { readonly at: number; readonly name: string; readonly props: string; readonly view: ViewDraft };

/**
 * A visit that is built from its hits in order (`compareHits`). The cost of adding a hit is independent of the length of the visit; only the cost of `visitRow`
 * grows with it.
 */
export type VisitDraft = {
  readonly start: number;
  /** Number of this visit among those of its visitor, and the start of the previous one (epoch ms, 0: none). */
  readonly number: number;
  readonly previousStart: number;
  /** Visit columns from the hit that opened the first page; until a page is opened, from its first event. */
  lead: VisitLead;
  leadView: string;
  leadPath: string;
  leadSource: string;
  readonly firstName: string;
  last: { readonly at: number; readonly engage: boolean; readonly view: string; readonly seq: number };
  lastPath: string;
  receivedAt: number;
  hits: number;
  /** Characters in the row, repetitions included. */
  text: number;
  /** Approximate memory size of its hits in bytes. */
  hitBytes: number;
  readonly views: Map<string, ViewDraft>;
  readonly opened: ViewDraft[];
  readonly events: EventDraft[];
  interactive: boolean;
  campaign: string;
  botScore: number;
  botReasons: string[];
};

/** By time; then hits that can begin a visit before those that cannot; then by id, so that the order within one millisecond is defined. */
export function compareHits(a: HitRow, b: HitRow): number {
  return a.at - b.at || Number(a.kind === 'engage') - Number(b.kind === 'engage') || (a.view_id < b.view_id ? -1 : a.view_id > b.view_id ? 1 : a.seq - b.seq);
}

/** Whether a hit is later than everything in the draft. */
export function comesAfter(draft: VisitDraft, hit: HitRow): boolean {
  const { at, engage, view, seq } = draft.last;
  if (hit.at !== at) return hit.at > at;
  if ((hit.kind === 'engage') !== engage) return !engage;
  return hit.view_id === view ? hit.seq > seq : hit.view_id > view;
}

/**
 * Whether the draft already contains a hit: `same` if the contained copy is the one that counts (the first received; of those the earlier), `other` if the
 * given hit would replace it.
 */
export function copyIn(draft: VisitDraft, hit: HitRow): 'none' | 'same' | 'other' {
  const copies = draft.views.get(hit.view_id)?.copies ?? [];
  for (let i = 0; i < copies.length; i += 3) {
    if (copies[i] !== hit.seq) continue;
    const later = hit.received_at - (copies[i + 1] as number) || hit.at - (copies[i + 2] as number);
    return later >= 0 ? 'same' : 'other';
  }
  return 'none';
}

/** Whether a hit that is later than everything in the draft still belongs to its visit. */
export function belongs(draft: VisitDraft, hit: HitRow, rules: VisitRules = defaultVisitRules): boolean {
  if (hit.at - draft.last.at > rules.gapMs || hit.at - draft.start > maxSpanMs) return false;
  // Hits of one millisecond stay together, so that the boundary does not depend on which other hits are known.
  if ((draft.hits >= maxHits || draft.text >= maxText) && hit.at > draft.last.at) return false;
  return !(rules.campaignCuts && hit.kind === 'view' && hit.at > draft.last.at && !['', draft.campaign].includes(campaignOf(hit)));
}

export function openDraft(first: HitRow, number: number, previousStart: number): VisitDraft {
  const draft: VisitDraft = {
    start: first.at,
    number,
    previousStart,
    lead: leadOf(first),
    leadView: first.view_id,
    leadPath: first.path,
    leadSource: first.source_type,
    firstName: `${first.view_id}${first.seq}`,
    last: { at: first.at, engage: false, view: '', seq: -1 },
    lastPath: '',
    receivedAt: 0,
    hits: 0,
    text: 0,
    hitBytes: 0,
    views: new Map(),
    opened: [],
    events: [],
    interactive: false,
    campaign: '',
    botScore: 0,
    botReasons: [],
  };
  addHit(draft, first);
  return draft;
}

/** Adds a hit that is later than all others of the draft. */
export function addHit(draft: VisitDraft, hit: HitRow): void {
  // No other visit can begin within the same millisecond, so hits above the limit of a row are dropped.
  if (draft.hits >= mostHits || draft.text >= mostText) return;
  const view = viewOf(draft, hit.view_id);
  draft.last = { at: hit.at, engage: hit.kind === 'engage', view: hit.view_id, seq: hit.seq };
  draft.lastPath = hit.path;
  draft.receivedAt = Math.max(draft.receivedAt, hit.received_at);
  draft.hits += 1;
  draft.text += textOf(hit);
  draft.hitBytes += bytesOf(hit);
  draft.botScore = Math.max(draft.botScore, hit.bot_score);
  for (const reason of hit.bot_reasons) if (!draft.botReasons.includes(reason)) draft.botReasons = [...draft.botReasons, reason].sort();

  // Allocated to fit the first hit: a growing array reserves room for sixteen more.
  if (view.copies.length === 0) view.copies = [hit.seq, hit.received_at, hit.at];
  else view.copies.push(hit.seq, hit.received_at, hit.at);
  view.engaged = Math.max(view.engaged, hit.engaged_ms);
  view.scroll = Math.max(view.scroll, hit.scroll);
  // Single-page applications set the title after the URL changes, so the latest title is used.
  if (hit.title !== '' && hit.seq > view.titleSeq) Object.assign(view, { title: hit.title, titleSeq: hit.seq });
  if (hit.kind === 'view') open(draft, view, hit);
  else if (hit.kind === 'event') {
    view.events += 1;
    draft.events.push({ at: hit.at - draft.start, name: hit.name, props: hit.props, view });
    draft.interactive ||= isInteractive(hit);
  } else {
    view.leastEngaged = view.leastEngaged < 0 ? hit.engaged_ms : Math.min(view.leastEngaged, hit.engaged_ms);
    view.mostEngaged = Math.max(view.mostEngaged, hit.engaged_ms);
  }
}

/** Marks the visit as a bot's, independent of the signals of its hits. */
export function markFlood(draft: VisitDraft): void {
  draft.botScore = 100;
  if (!draft.botReasons.includes('flood')) draft.botReasons = [...draft.botReasons, 'flood'].sort();
}

function viewOf(draft: VisitDraft, id: string): ViewDraft {
  let view = draft.views.get(id);
  if (view === undefined) {
    view = {
      id,
      number: 0,
      at: 0,
      host: '',
      path: '',
      search: '',
      title: '',
      titleSeq: -1,
      engaged: 0,
      scroll: 0,
      events: 0,
      leastEngaged: -1,
      mostEngaged: 0,
      copies: [],
    };
    draft.views.set(id, view);
  }
  return view;
}

function open(draft: VisitDraft, view: ViewDraft, hit: HitRow): void {
  const campaign = campaignOf(hit);
  if (campaign !== '') draft.campaign = campaign;
  if (view.number > 0) return;
  draft.opened.push(view);
  Object.assign(view, { number: draft.opened.length, at: hit.at - draft.start, host: hit.host, path: hit.path, search: hit.search_term });
  // `openDraft` has already set this for the first hit.
  if (view.number === 1 && draft.hits > 1) Object.assign(draft, { lead: leadOf(hit), leadView: hit.view_id, leadPath: hit.path, leadSource: hit.source_type });
}

/** The id of the visit: the id of the view that opened it. */
export const visitIdOf = (draft: VisitDraft): string => (draft.opened.length > 0 ? draft.leadView : eventVisitId(draft.firstName));

/** A visit without a page view gets an id derived from its first event, because the view's own id belongs to the visit that opened it. */
const eventVisitId = (hitName: string): string => createHash('sha256').update(hitName).digest('hex').slice(0, 16);

/** The row of `visits`. */
export function visitRow(draft: VisitDraft, visitorId: string, rules: VisitRules = defaultVisitRules): VisitRow {
  const { lead, leadSource, opened, events } = draft;
  const engaged = engagedMs(draft);
  const read = rules.engagedBounceMs > 0 && engaged >= rules.engagedBounceMs;
  return {
    site_id: lead.site_id,
    host: lead.host,
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
    origin: lead.origin,
    visit_id: visitIdOf(draft),
    visitor_id: visitorId,
    start: draft.start,
    last: draft.last.at,
    received_at: draft.receivedAt,
    pv: opened.length,
    upv: new Set(opened.map((view) => view.path)).size,
    events: events.length,
    engaged_ms: engaged,
    bounce: opened.length === 1 && !draft.interactive && !read ? 1 : 0,
    is_new: draft.number === 1 ? 1 : 0,
    visit_no: draft.number,
    prev_start: draft.previousStart,
    entry_path: draft.leadPath,
    exit_path: opened.at(-1)?.path ?? draft.lastPath,
    // Events have no referrer: an event of a returning visitor on an open page has the site itself as its source.
    source_type: opened.length === 0 && draft.number > 1 && leadSource === 'direct' ? 'internal' : leadSource,
    bot_score: draft.botScore,
    bot_reasons: [...draft.botReasons],
    view_id: opened.map((view) => view.id),
    view_at: opened.map((view) => view.at),
    view_host: opened.map((view) => view.host),
    view_path: opened.map((view) => view.path),
    view_title: opened.map((view) => view.title),
    view_engaged: opened.map((view) => view.engaged),
    view_scroll: opened.map((view) => view.scroll),
    view_events: opened.map((view) => view.events),
    view_search: opened.map((view) => view.search),
    event_at: events.map((event) => event.at),
    event_name: events.map((event) => event.name),
    event_props: events.map((event) => event.props),
    event_view: events.map((event) => event.view.number),
  };
}

/** A view's engaged time is cumulative. For views opened before this visit (or whose opening hit was lost), only the increase within the visit counts. */
function engagedMs(draft: VisitDraft): number {
  let sum = 0;
  for (const view of draft.views.values()) {
    if (view.number > 0) sum += view.engaged;
    else if (view.leastEngaged >= 0) sum += view.mostEngaged - view.leastEngaged;
  }
  return sum;
}

/** Events whose name begins with `$` are built-in. Most of them (such as vitals) show no interaction; outbound links, downloads and submitted forms do. */
const clicks: ReadonlySet<string> = new Set(['$outbound', '$download', '$form']);
export const isInteractive = (hit: HitRow): boolean => hit.kind === 'event' && (!hit.name.startsWith('$') || clicks.has(hit.name));

const campaignOf = (hit: HitRow): string =>
  hit.utm_campaign === '' && hit.utm_source === '' ? '' : `${hit.utm_source}\n${hit.utm_medium}\n${hit.utm_campaign}\n${hit.utm_term}\n${hit.utm_content}`;

/** Maximum characters that a hit adds to the row of its visit. */
function textOf(hit: HitRow): number {
  if (hit.kind === 'view') return 64 + hit.host.length + hit.path.length + hit.title.length + hit.search_term.length;
  return hit.kind === 'event' ? 24 + hit.name.length + hit.props.length : 0;
}

/** Listed explicitly: an object filled in a loop takes several times as long to create, copy and collect. */
export const leadOf = (hit: VisitLead): VisitLead => ({
  site_id: hit.site_id,
  host: hit.host,
  source_name: hit.source_name,
  keyword: hit.keyword,
  keyword_from: hit.keyword_from,
  ref_host: hit.ref_host,
  ref_path: hit.ref_path,
  ref_url: hit.ref_url,
  utm_source: hit.utm_source,
  utm_medium: hit.utm_medium,
  utm_campaign: hit.utm_campaign,
  utm_term: hit.utm_term,
  utm_content: hit.utm_content,
  click_id: hit.click_id,
  device_type: hit.device_type,
  os: hit.os,
  os_version: hit.os_version,
  browser: hit.browser,
  browser_version: hit.browser_version,
  screen_w: hit.screen_w,
  screen_h: hit.screen_h,
  lang: hit.lang,
  country: hit.country,
  province: hit.province,
  city: hit.city,
  isp: hit.isp,
  ip_key: hit.ip_key,
  ip_masked: hit.ip_masked,
  origin: hit.origin,
});

/** Texts of pages are mostly shared by many visitors and stored once (`row.ts`), unless they are long. */
const mostSharedText = 400;
function bytesOf({ kind, host, path, title, name, props, search_term }: HitRow): number {
  const page = host.length + path.length + title.length;
  const own = kind === 'event' ? name.length + props.length : search_term.length;
  return 24 + (page > mostSharedText ? 2 : 1) * page + 2 * own;
}

/** Approximate memory size of a draft in bytes, based on V8's object sizes. */
export function draftBytes(draft: VisitDraft): number {
  const { lead } = draft;
  const leadText = draft.leadPath.length + lead.ref_url.length + lead.ref_path.length + lead.keyword.length + lead.utm_term.length + lead.utm_content.length;
  return 1600 + 2 * leadText + draft.hitBytes + 260 * draft.views.size + 80 * draft.events.length;
}
