import type { RowReader, RowWriter } from '../stores/clickhouse/rowBinary';
import { noDevice, noId, noPlace, noSource } from './row';
import type { HitRow } from './row';
import type { HitKind } from './validate';
import type { Tombstone, Visitor } from './visitor';
import type { VisitRow } from './visitRow';

/** Values of the column's enum (server/areas/analytics/schema.ts). */
const kindNumbers: Readonly<Record<HitKind, number>> = { view: 1, event: 2, engage: 3 };
const kinds: readonly HitKind[] = ['view', 'view', 'event', 'engage'];

function writeTexts(out: RowWriter, texts: readonly string[]): void {
  out.count(texts.length);
  for (const text of texts) out.text(text);
}
function writeNumbers(out: RowWriter, write: (value: number) => void, values: readonly number[]): void {
  out.count(values.length);
  for (const value of values) write(value);
}
function readTexts(from: RowReader): string[] {
  const texts: string[] = [];
  for (let remaining = from.count(); remaining > 0; remaining -= 1) texts.push(from.text());
  return texts;
}

/** Writes a hit as a row of the columns `hitColumns`. Throws a SyntaxError for a hit that cannot be serialized. */
export function writeHit(out: RowWriter, hit: HitRow): void {
  const kind = kindNumbers[hit.kind];
  if (kind === undefined) throw new SyntaxError(`not a kind of hit: ${hit.kind}`);
  out.text(hit.site_id);
  out.id(hit.visitor_id);
  out.id(hit.visitor_alt);
  out.id(hit.view_id);
  out.u16(hit.seq);
  out.u8(kind);
  out.i64(hit.at);
  out.i64(hit.received_at);
  out.text(hit.host);
  out.text(hit.path);
  out.text(hit.query);
  out.text(hit.title);
  out.u32(hit.engaged_ms);
  out.u8(hit.scroll);
  out.text(hit.name);
  out.text(hit.props);
  writeSource(out, hit);
  writeDevice(out, hit);
  out.u16(hit.screen_w);
  out.u16(hit.screen_h);
  out.text(hit.lang);
  writePlace(out, hit);
  out.id(hit.ip_key);
  out.text(hit.ip_masked);
  out.u8(hit.bot_score);
  writeTexts(out, hit.bot_reasons);
  out.text(hit.origin);
  out.text(hit.search_term);
  out.u8(hit.set_aside ?? 0);
}

/** Reads a row of the columns `hitColumns`. */
export const readHit = (from: RowReader): HitRow => ({
  site_id: from.text(),
  visitor_id: from.id(),
  visitor_alt: from.id(),
  view_id: from.id(),
  seq: from.u16(),
  kind: kinds[from.u8()] as HitKind,
  at: from.i64(),
  received_at: from.i64(),
  host: from.text(),
  path: from.text(),
  query: from.text(),
  title: from.text(),
  engaged_ms: from.u32(),
  scroll: from.u8(),
  name: from.text(),
  props: from.text(),
  source_type: from.text(),
  source_name: from.text(),
  keyword: from.text(),
  keyword_from: from.text(),
  ref_host: from.text(),
  ref_path: from.text(),
  ref_url: from.text(),
  utm_source: from.text(),
  utm_medium: from.text(),
  utm_campaign: from.text(),
  utm_term: from.text(),
  utm_content: from.text(),
  click_id: from.text(),
  device_type: from.text(),
  os: from.text(),
  os_version: from.text(),
  browser: from.text(),
  browser_version: from.text(),
  screen_w: from.u16(),
  screen_h: from.u16(),
  lang: from.text(),
  country: from.text(),
  province: from.text(),
  city: from.text(),
  isp: from.text(),
  ip_key: from.id(),
  ip_masked: from.text(),
  bot_score: from.u8(),
  bot_reasons: readTexts(from),
  origin: from.text() as HitRow['origin'],
  search_term: from.text(),
  set_aside: from.u8() as 0 | 1,
});

function writeSource(out: RowWriter, row: HitRow | VisitRow): void {
  out.text(row.source_type);
  out.text(row.source_name);
  out.text(row.keyword);
  out.text(row.keyword_from);
  out.text(row.ref_host);
  out.text(row.ref_path);
  out.text(row.ref_url);
  out.text(row.utm_source);
  out.text(row.utm_medium);
  out.text(row.utm_campaign);
  out.text(row.utm_term);
  out.text(row.utm_content);
  out.text(row.click_id);
}

function writeDevice(out: RowWriter, row: HitRow | VisitRow): void {
  out.text(row.device_type);
  out.text(row.os);
  out.text(row.os_version);
  out.text(row.browser);
  out.text(row.browser_version);
}

function writePlace(out: RowWriter, row: HitRow | VisitRow): void {
  out.text(row.country);
  out.text(row.province);
  out.text(row.city);
  out.text(row.isp);
}

/** The columns of `visits`, in the order written by `writeVisit`. */
export const visitColumns = [
  'site_id',
  'visit_id',
  'version',
  'deleted',
  'visitor_id',
  'start',
  'last',
  'received_at',
  'pv',
  'upv',
  'events',
  'engaged_ms',
  'bounce',
  'is_new',
  'visit_no',
  'prev_start',
  'host',
  'entry_path',
  'exit_path',
  'source_type',
  'source_name',
  'keyword',
  'keyword_from',
  'ref_host',
  'ref_path',
  'ref_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'click_id',
  'device_type',
  'os',
  'os_version',
  'browser',
  'browser_version',
  'screen_w',
  'screen_h',
  'lang',
  'country',
  'province',
  'city',
  'isp',
  'ip_key',
  'ip_masked',
  'bot_score',
  'bot_reasons',
  'view_id',
  'view_at',
  'view_host',
  'view_path',
  'view_title',
  'view_engaged',
  'view_scroll',
  'view_events',
  'origin',
  'view_search',
  'event_at',
  'event_name',
  'event_props',
  'event_view',
] as const satisfies readonly (keyof VisitRow | 'version' | 'deleted')[];

const most16 = 65_535;

/** Writes a visit as a row of the columns `visitColumns`. */
export const writeVisit = (out: RowWriter, visit: VisitRow, version: number): void => writeVisitRow(out, visit, version, 0);

/** Writes a tombstone as a row of the columns `visitColumns`. */
export const writeTombstone = (out: RowWriter, gone: Tombstone, version: number): void => writeVisitRow(out, { ...emptyVisit, ...gone }, version, 1);

function writeVisitRow(out: RowWriter, visit: VisitRow, version: number, deleted: 0 | 1): void {
  out.text(visit.site_id);
  out.id(visit.visit_id);
  out.i64(version);
  out.u8(deleted);
  out.id(visit.visitor_id);
  out.i64(visit.start);
  out.i64(visit.last);
  out.i64(visit.received_at);
  out.u16(Math.min(visit.pv, most16));
  out.u16(Math.min(visit.upv, most16));
  out.u16(Math.min(visit.events, most16));
  out.u32(visit.engaged_ms);
  out.u8(visit.bounce);
  out.u8(visit.is_new);
  out.u32(visit.visit_no);
  out.i64(visit.prev_start);
  out.text(visit.host);
  out.text(visit.entry_path);
  out.text(visit.exit_path);
  writeSource(out, visit);
  writeDevice(out, visit);
  out.u16(visit.screen_w);
  out.u16(visit.screen_h);
  out.text(visit.lang);
  writePlace(out, visit);
  out.id(visit.ip_key);
  out.text(visit.ip_masked);
  out.u8(visit.bot_score);
  writeTexts(out, visit.bot_reasons);
  writeIds(out, visit.view_id);
  writeNumbers(out, out.u32, visit.view_at);
  writeTexts(out, visit.view_host);
  writeTexts(out, visit.view_path);
  writeTexts(out, visit.view_title);
  writeNumbers(out, out.u32, visit.view_engaged);
  writeNumbers(out, out.u8, visit.view_scroll);
  writeNumbers(out, out.u16, visit.view_events);
  out.text(visit.origin);
  writeTexts(out, visit.view_search);
  writeNumbers(out, out.u32, visit.event_at);
  writeTexts(out, visit.event_name);
  writeTexts(out, visit.event_props);
  writeNumbers(out, out.u16, visit.event_view);
}

/** The non-key values of a tombstone. */
const emptyVisit: VisitRow = {
  site_id: '',
  visit_id: noId,
  visitor_id: noId,
  start: 0,
  last: 0,
  received_at: 0,
  pv: 0,
  upv: 0,
  events: 0,
  engaged_ms: 0,
  bounce: 0,
  is_new: 0,
  visit_no: 0,
  prev_start: 0,
  host: '',
  entry_path: '',
  exit_path: '',
  ...noSource,
  ...noDevice,
  screen_w: 0,
  screen_h: 0,
  lang: '',
  ...noPlace,
  ip_key: noId,
  ip_masked: '',
  bot_score: 0,
  bot_reasons: [],
  view_id: [],
  view_at: [],
  view_host: [],
  view_path: [],
  view_title: [],
  view_engaged: [],
  view_scroll: [],
  view_events: [],
  origin: 'script',
  view_search: [],
  event_at: [],
  event_name: [],
  event_props: [],
  event_view: [],
};

/** The columns of `visitors`, in the order written by `writeVisitor`. */
export const visitorColumns = [
  'site_id',
  'visitor_id',
  'version',
  'same_as',
  'members',
  'heirs',
  'alt_id',
  'alt_at',
  'last_at',
  'base_count',
  'base_start',
  'visit_id',
  'visit_start',
  'visit_last',
  'visit_gone',
] as const;

/** Writes a visitor as a row of the columns `visitorColumns`. */
export function writeVisitor(out: RowWriter, visitor: Visitor): void {
  out.text(visitor.siteId);
  out.id(visitor.id);
  out.i64(visitor.version);
  out.id(visitor.sameAs);
  writeIds(out, visitor.members);
  writeIds(out, visitor.heirs);
  out.id(visitor.altId);
  out.i64(visitor.altAt);
  out.i64(visitor.lastAt);
  out.u32(visitor.base.count);
  out.i64(visitor.base.start);
  out.count(visitor.visits.length);
  for (const { id } of visitor.visits) out.id(id);
  out.count(visitor.visits.length);
  for (const { start } of visitor.visits) out.i64(start);
  out.count(visitor.visits.length);
  for (const { last } of visitor.visits) out.i64(last);
  out.count(visitor.visits.length);
  for (const { gone } of visitor.visits) out.u8(Number(gone));
}

function writeIds(out: RowWriter, ids: readonly string[]): void {
  out.count(ids.length);
  for (const id of ids) out.id(id);
}
