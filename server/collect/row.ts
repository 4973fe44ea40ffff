import { normalizePath } from '../../contract/paths';
import type { HitKind } from './validate';

/** How a hit came (server/areas/analytics/schema.ts). */
export const hitOrigins = ['script', 'server', 'log', 'import', 'audit'] as const;
export type HitOrigin = (typeof hitOrigins)[number];

/**
 * One hit as it is stored: the columns of `hits` (server/areas/analytics/schema.ts), classified and with the visitor
 * already named. Ids are 16 lower-case hex digits here and UInt64 in ClickHouse; times are epoch milliseconds.
 * Neither the address nor the user agent is part of it.
 */
export type HitRow = {
  site_id: string;
  visitor_id: string;
  /** The same visitor under the name of the day before; `noId` unless a cookieless hit happened soon after the site's midnight. */
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
  /** What was typed into the site's own search, told from the page's address; '' for none. */
  search_term: string;
  /** 1: beyond what one visitor may send (`flood.ts`); stored, and part of no visit. */
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

/** The order in which a hit's columns stand in the journal and in the queue between processes. */
export const hitColumns = [
  'site_id',
  'visitor_id',
  'visitor_alt',
  'view_id',
  'seq',
  'kind',
  'at',
  'received_at',
  'host',
  'path',
  'query',
  'title',
  'engaged_ms',
  'scroll',
  'name',
  'props',
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
  'origin',
  'search_term',
  'set_aside',
] as const satisfies readonly (keyof HitRow)[];

/** Several hits as one line: an array of arrays in the order of `hitColumns`. */
export function encodeHits(rows: readonly HitRow[]): string {
  return JSON.stringify(rows.map((row) => hitColumns.map((column) => row[column])));
}

/** Paths as they are stored; an older program wrote them with every escape. */
const pathColumns = ['path', 'ref_path', 'ref_url'] as const;

/** Reads what `encodeHits` wrote, also by an older program: `columns` names what it knew. Throws on anything else. */
export function decodeHits(line: string, columns: readonly string[] = hitColumns): HitRow[] {
  const lists = JSON.parse(line) as unknown[][];
  return lists.map((values) => {
    // What an older program did not know yet.
    const row: Record<string, unknown> = { origin: 'script', search_term: '', set_aside: 0 };
    for (let i = 0; i < columns.length; i += 1) if (values[i] !== null) row[columns[i] as string] = values[i];
    for (const column of pathColumns) if (typeof row[column] === 'string') row[column] = normalizePath(row[column]);
    return row as HitRow;
  });
}

/** 16 hex digits → the decimal text that ClickHouse reads as UInt64. */
export function storedId(hex: string): string {
  return hex === noId ? '0' : BigInt(`0x${hex}`).toString();
}

/**
 * The row as ClickHouse takes it. Times stay numbers: in JSON an unquoted DateTime64(3) is a count of milliseconds,
 * whatever the settings for dates in text are.
 */
export function storedHit(row: HitRow): object {
  return { ...row, visitor_id: storedId(row.visitor_id), visitor_alt: storedId(row.visitor_alt), view_id: storedId(row.view_id), ip_key: storedId(row.ip_key) };
}

/** A (site, visitor) pair as the key of a map. Site ids have a fixed length, so no separator is needed. */
export function keyOf(siteId: string, visitorId: string): string {
  return siteId + visitorId;
}

/** Bytes that a hit takes in memory, roughly: its texts as two bytes a character, the rest by what V8 gives an object of this shape. */
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
