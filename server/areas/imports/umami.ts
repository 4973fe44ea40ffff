import { limits } from '../../../contract/collect/schemas';
import { normalizePath } from '../../../contract/paths';
import type { ImportMode, ImportReason } from '../../../contract/imports/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import { remember } from '../../collect/classify/lru';
import { sourceColumns } from '../../collect/hits';
import { noId } from '../../collect/row';
import type { HitRow } from '../../collect/row';
import { searchTermOf } from '../../collect/siteSearch';
import { cleanText, cut } from '../../collect/text';
import type { IndexedSite } from '../sites';
import { jsonTime } from './logLine';
import type { Naming } from './naming';
import type { Row, Table } from './tables';

/**
 * Umami's export: `website_event.csv` with the columns of its table of the same name, and `event_data.csv` with the properties of events. Umami stores no
 * address and no user agent, only what it derived from them; times are UTC.
 */
export const isUmamiHeader = (names: readonly string[]): boolean => ['session_id', 'url_path', 'created_at'].every((name) => names.includes(name));
export const isPropsTable = (table: Table): boolean => /event_data/i.test(table.name);

/** Browser names of the `detect-browser` package, which Umami stores. */
const browsers: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  crios: 'Chrome',
  'chromium-webview': 'Android WebView',
  'edge-chromium': 'Edge',
  'edge-ios': 'Edge',
  edge: 'Edge',
  firefox: 'Firefox',
  fxios: 'Firefox',
  safari: 'Safari',
  ios: 'Safari',
  'ios-webview': 'iOS WebView',
  opera: 'Opera',
  'opera-mini': 'Opera Mini',
  samsung: 'Samsung Internet',
  ie: 'Internet Explorer',
  yandexbrowser: 'Yandex',
  miui: 'MIUI Browser',
  facebook: 'Facebook',
  instagram: 'Instagram',
  silk: 'Silk',
  brave: 'Brave',
  vivaldi: 'Vivaldi',
  curl: 'curl',
};
const systems: readonly (readonly [RegExp, string])[] = [
  [/^mac ?os/i, 'macOS'],
  [/^windows/i, 'Windows'],
  [/^android/i, 'Android'],
  [/^ios/i, 'iOS'],
  [/^chrome ?os/i, 'ChromeOS'],
  [/^linux/i, 'Linux'],
];
const devices: Readonly<Record<string, string>> = { desktop: 'desktop', laptop: 'desktop', mobile: 'mobile', tablet: 'tablet', smarttv: 'tv' };

const small = (text: string | undefined): number => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 0 && number <= 65_535 ? number : 0;
};

/**
 * Converts one row to a hit. Sessions become visitors, page views and events keep their ids (as keyed hashes, so that importing another export of the same days
 * changes nothing). A row that is neither a page view nor an event is rejected.
 */
export function createUmamiHits(
  naming: Naming,
  site: Pick<IndexedSite, 'id' | 'hosts' | 'measuring'>,
  host: string,
  mode: ImportMode,
  now: number,
  receivedAt: number,
): (row: Row, props: string) => HitRow | ImportReason {
  const sourceIn = remember(10_000, (key: string) => {
    const [url = '', referrer = ''] = key.split('\n');
    return sourceColumns(url, referrer, site.hosts);
  });
  const origin = mode === 'count' ? ('import' as const) : ('audit' as const);

  return (row, props) => {
    const { at } = jsonTime(row['created_at'] ?? null);
    if (Number.isNaN(at)) return 'bad_time';
    if (at > now + 600_000) return 'future';
    const session = row['session_id'] ?? '';
    const type = row['event_type'] ?? '1';
    const name = cleanText(row['event_name'] ?? '', limits.eventName);
    if (session === '' || (type === '2' ? name === '' : type !== '1')) return 'bad_row';
    const at_ = row['hostname'] ?? '';
    const path = row['url_path'] ?? '';
    const query = row['url_query'] ?? '';
    const text = `https://${at_ === '' ? host : at_}/${path.replace(/^\/+/, '')}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`;
    const url = parseUrl(text);
    if (url === null) return 'bad_address';
    const domain = row['referrer_domain'] ?? '';
    const referrer =
      domain === ''
        ? ''
        : `https://${domain}${row['referrer_path'] ?? ''}${(row['referrer_query'] ?? '') === '' ? '' : `?${(row['referrer_query'] ?? '').replace(/^\?/, '')}`}`;
    const [width, height] = (row['screen'] ?? '').split('x');
    const system = systems.find(([pattern]) => pattern.test(row['os'] ?? ''))?.[1] ?? cleanText(row['os'] ?? '', 60);
    const browser = row['browser'] ?? '';
    const country = /^[A-Z]{2}$/.test(row['country'] ?? '') ? (row['country'] ?? '') : '';
    const event = row['event_id'] ?? '';
    return {
      site_id: site.id,
      visitor_id: naming.id('umami visitor', origin, site.id, session),
      visitor_alt: noId,
      view_id: naming.id('umami hit', origin, site.id, session, event === '' ? `${at}\n${path}\n${query}\n${type}\n${name}` : event),
      seq: 0,
      kind: type === '2' ? 'event' : 'view',
      at,
      received_at: receivedAt,
      host: cut(url.host, 255),
      path: cut(normalizePath(url.pathname), limits.url),
      query: cut(url.search, limits.url),
      title: cleanText(row['page_title'] ?? '', limits.title),
      engaged_ms: 0,
      scroll: 0,
      name: type === '2' ? name : '',
      props: type === '2' ? props : '',
      ...sourceIn(`${cut(url.href, limits.url)}\n${cut(cleanText(referrer, limits.referrer), limits.referrer)}`),
      device_type: devices[row['device'] ?? ''] ?? 'unknown',
      os: system,
      os_version: cleanText(/^windows (.+)$/i.exec(row['os'] ?? '')?.[1] ?? '', 20),
      browser: browsers[browser] ?? cleanText(browser, 60),
      browser_version: '',
      screen_w: small(width),
      screen_h: small(height),
      lang: cleanText(row['language'] ?? '', 35),
      country,
      // Umami stores ISO codes of regions, which are the same for China, and English city names, which are not.
      province: country === 'CN' ? regionOf(row['region'] ?? '') : '',
      city: '',
      isp: '',
      ip_key: noId,
      ip_masked: '',
      bot_score: 0,
      bot_reasons: [],
      origin,
      search_term: type === '1' ? searchTermOf(url.href, site.measuring.searchParams) : '',
    };
  };
}

/** `CN-GD`; older exports have only `GD`. */
const regionOf = (text: string): string => (/^CN-[A-Z]{2}$/.test(text) ? text : /^[A-Z]{2}$/.test(text) ? `CN-${text}` : '');

/** One property of an event: `data_type` 1 text, 2 number, 3 boolean, 4 date, 5 list (Umami's numbers). null: not readable. */
export function propOf(row: Row): { readonly event: string; readonly name: string; readonly value: string } | null {
  const event = row['event_id'] ?? row['website_event_id'] ?? '';
  const name = cleanText(row['data_key'] ?? row['event_key'] ?? '', limits.propName);
  if (event === '' || name === '') return null;
  const number = Number(row['number_value']);
  const text = row['string_value'] ?? '';
  const value =
    row['data_type'] === '2' && Number.isFinite(number) && (row['number_value'] ?? '') !== ''
      ? number
      : row['data_type'] === '3' && (text === 'true' || text === 'false')
        ? text === 'true'
        : cleanText(text !== '' ? text : (row['date_value'] ?? ''), limits.propValue);
  return { event, name, value: JSON.stringify(value) };
}
