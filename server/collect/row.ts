import { normalizePath } from '../../contract/paths';
import { remember } from './classify/lru';
import type { HitKind } from './validate';

/** How a hit was received (server/areas/analytics/schema.ts). */
export const hitOrigins = ['script', 'server', 'log', 'import', 'audit'] as const;
export type HitOrigin = (typeof hitOrigins)[number];

/**
 * One hit as stored: the columns of `hits` (server/areas/analytics/schema.ts), classified and with its visitor id. Ids are 16 lower-case hex digits here and
 * UInt64 in ClickHouse; times are epoch milliseconds. It contains neither the address nor the user agent.
 */
export type HitRow = {
  site_id: string;
  visitor_id: string;
  /** The visitor's id of the previous day; `noId` unless a cookieless hit happened soon after the site's midnight. */
  visitor_alt: string;
  view_id: string;
  seq: number;
  kind: HitKind;
  at: number;
  received_at: number;
  host: string;
  path: string;
  query: string;
  title: string;
  engaged_ms: number;
  scroll: number;
  name: string;
  props: string;
  screen_w: number;
  screen_h: number;
  lang: string;
  ip_key: string;
  ip_masked: string;
  bot_score: number;
  bot_reasons: string[];
  origin: HitOrigin;
  /** The term of the site's own search, from the page's URL; '' if none. */
  search_term: string;
  /** 1: above the limit of one visitor (`flood.ts`); stored, but not part of any visit. */
  set_aside?: 0 | 1;
} & SourceColumns &
  DeviceColumns &
  PlaceColumns;

export type SourceColumns = {
  source_type: string;
  source_name: string;
  keyword: string;
  keyword_from: string;
  ref_host: string;
  ref_path: string;
  ref_url: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
  utm_term: string;
  utm_content: string;
  click_id: string;
};
export type DeviceColumns = { device_type: string; os: string; os_version: string; browser: string; browser_version: string };
export type PlaceColumns = { country: string; province: string; city: string; isp: string };

export const noId = '0000000000000000';

export const noSource: SourceColumns = {
  source_type: 'direct',
  source_name: '',
  keyword: '',
  keyword_from: '',
  ref_host: '',
  ref_path: '',
  ref_url: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  click_id: '',
};
export const noDevice: DeviceColumns = { device_type: '', os: '', os_version: '', browser: '', browser_version: '' };
export const noPlace: PlaceColumns = { country: '', province: '', city: '', isp: '' };

/** Defaults for columns that an older version did not write. Its keys are the columns in the order used in the journal and in the queue between processes. */
const emptyHit: Required<HitRow> = {
  site_id: '',
  visitor_id: noId,
  visitor_alt: noId,
  view_id: noId,
  seq: 0,
  kind: 'view',
  at: 0,
  received_at: 0,
  host: '',
  path: '',
  query: '',
  title: '',
  engaged_ms: 0,
  scroll: 0,
  name: '',
  props: '',
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
  origin: 'script',
  search_term: '',
  set_aside: 0,
};
export const hitColumns = Object.keys(emptyHit) as readonly (keyof HitRow)[];

/** Several hits as one line: an array of arrays in the order of `hitColumns`. */
export function encodeHits(rows: readonly HitRow[]): string {
  return JSON.stringify(rows.map((row) => hitColumns.map((column) => row[column])));
}

/** Columns with texts that many hits have in common. */
const sharedColumns = ['host', 'path', 'title', 'source_name', 'ref_host', 'ref_path', 'ref_url', 'os_version', 'browser', 'province', 'city', 'isp'] as const;
/** Shares one copy of each text: otherwise every decoded hit would have its own, and open visits would hold them all. */
const shared = remember(40_000, (text) => text);

/** Path columns, which are stored normalized; an older version wrote them with all percent-escapes. */
const pathColumns = ['path', 'ref_path', 'ref_url'] as const;

/** Reads what `encodeHits` wrote, also by an older version: `columns` are the columns it knew. Throws on anything else. */
export function decodeHits(text: string, columns: readonly string[] = hitColumns): HitRow[] {
  const lists = JSON.parse(text) as unknown[][];
  return lists.map((values) => {
    // A copy that already has all properties: an object to which 48 properties are added becomes a slow dictionary.
    const row: Record<string, unknown> = { ...emptyHit };
    for (let i = 0; i < columns.length; i += 1) if (values[i] !== null) row[columns[i] as string] = values[i];
    for (const column of pathColumns) if (typeof row[column] === 'string') row[column] = normalizePath(row[column]);
    for (const column of sharedColumns) if (typeof row[column] === 'string') row[column] = shared(row[column]);
    return row as HitRow;
  });
}

/** Converts 16 hex digits to the decimal text that ClickHouse reads as UInt64. */
export function storedId(hex: string): string {
  return hex === noId ? '0' : BigInt(`0x${hex}`).toString();
}

/** A (site, visitor) pair as a map key. Site ids have a fixed length, so no separator is needed. */
export function keyOf(siteId: string, visitorId: string): string {
  return siteId + visitorId;
}

/** Approximate memory size of a hit: two bytes per character of its texts, plus what V8 needs for an object of this shape. */
export function hitBytes(hit: HitRow): number {
  return (
    900 +
    2 *
      (hit.host.length +
        hit.path.length +
        hit.query.length +
        hit.title.length +
        hit.name.length +
        hit.props.length +
        hit.keyword.length +
        hit.ref_path.length +
        hit.ref_url.length +
        hit.utm_term.length +
        hit.utm_content.length +
        hit.search_term.length)
  );
}
