import type { DeviceColumns, HitOrigin, HitRow, PlaceColumns, SourceColumns } from './row';

/** One visit as stored: the columns of `visits` without `version` and `deleted`. Ids are hex, times epoch ms. */
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

/** Columns that a visit copies from the hit that opened it. */
export const leadColumns = [
  'site_id',
  'host',
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
  'origin',
] as const satisfies readonly (keyof HitRow)[];
export type VisitLead = Pick<HitRow, (typeof leadColumns)[number]>;
