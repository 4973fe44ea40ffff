import { limits } from '../../../contract/collect/schemas';
import type { ImportMode } from '../../../contract/imports/schemas';
import { botSignals, deviceOf, isReferrerSpam, maskAddress, placeOf, usableAddress, withReason } from '../../collect/classify';
import type { BotSignals, Device } from '../../collect/classify';
import { remember } from '../../collect/classify/lru';
import { sourceColumns } from '../../collect/hits';
import { noId } from '../../collect/row';
import type { HitOrigin, HitRow, SourceColumns } from '../../collect/row';
import { searchTermOf } from '../../collect/siteSearch';
import { cleanText, cut } from '../../collect/text';
import { MINUTE, dayNumber, daySpanAt } from '../../zone';
import type { IndexedSite } from '../sites';
import type { LogLine } from './logLine';
import type { Naming } from './naming';
import type { Place } from './pageView';

export const logOrigin: Readonly<Record<ImportMode, HitOrigin>> = { count: 'log', compare: 'audit' };

/** A log does not tell what languages a browser asks for: nothing is held against it for that. */
const unknownHeaders = { 'accept-language': '*' };
/** Longer ones are none (IPv6 with a zone, or a host's name). */
const longestAddress = 255;
/** Addresses with their agents whose classification is remembered. */
const remembered = 50_000;

/** A sender, by address and user agent, with the names of the last requested day. */
type Sender = {
  readonly address: string;
  readonly place: Pick<HitRow, 'country' | 'province' | 'city' | 'isp'>;
  readonly device: Device;
  readonly masked: string;
  readonly bot: BotSignals;
  day: number;
  visitor: string;
  /** Yesterday's name of the visitor; `noId` until somebody asks for it. */
  yesterday: string;
  addressKey: string;
};

/** `n`: which of the equal lines of its second it is. */
export type LogView = { readonly text: string; readonly n: number; readonly line: LogLine; readonly place: Place };

/** A sender by its address and agent (`key`), of whom nobody knows a name yet. */
function newSender(key: string, addresses: IndexedSite['measuring']['addresses']): Sender {
  const cutAt = key.indexOf('\n');
  const written = key.slice(0, cutAt);
  const agent = key.slice(cutAt + 1);
  const address = usableAddress(written, addresses);
  const found = placeOf(address);
  const bot = botSignals({ userAgent: agent, ip: address, headers: unknownHeaders, webdriver: false });
  return {
    address,
    place: addresses === 'two' ? { ...found, province: '', city: '' } : found,
    device: deviceOf(agent),
    masked: maskAddress(written, addresses),
    bot,
    day: Number.NaN,
    visitor: noId,
    yesterday: noId,
    addressKey: noId,
  };
}

/** What is the same of all hits of an import. */
type Fixed = { readonly siteId: string; readonly receivedAt: number; readonly origin: HitOrigin };
/** How a view was come by. */
type Arrival = { readonly source: SourceColumns; readonly spam: boolean; readonly searchTerm: string };

function rowOf(
  fixed: Fixed,
  viewId: string,
  { line, place }: LogView,
  sender: Sender,
  soonAfterMidnight: boolean,
  { source, spam, searchTerm }: Arrival,
): HitRow {
  const bot = spam ? withReason(sender.bot, 'spam') : sender.bot;
  return {
    site_id: fixed.siteId,
    visitor_id: sender.visitor,
    visitor_alt: soonAfterMidnight ? sender.yesterday : noId,
    view_id: viewId,
    seq: 0,
    kind: 'view',
    at: line.at,
    received_at: fixed.receivedAt,
    host: cut(place.host, 255),
    path: place.path,
    query: place.query,
    title: '',
    engaged_ms: 0,
    scroll: 0,
    name: '',
    props: '',
    source_type: source.source_type,
    source_name: source.source_name,
    keyword: source.keyword,
    keyword_from: source.keyword_from,
    ref_host: source.ref_host,
    ref_path: source.ref_path,
    ref_url: source.ref_url,
    utm_source: source.utm_source,
    utm_medium: source.utm_medium,
    utm_campaign: source.utm_campaign,
    utm_term: source.utm_term,
    utm_content: source.utm_content,
    click_id: source.click_id,
    device_type: sender.device.deviceType,
    os: sender.device.os,
    os_version: sender.device.osVersion,
    browser: sender.device.browser,
    browser_version: sender.device.browserVersion,
    screen_w: 0,
    screen_h: 0,
    lang: '',
    country: sender.place.country,
    province: sender.place.province,
    city: sender.place.city,
    isp: sender.place.isp,
    ip_key: sender.addressKey,
    ip_masked: sender.masked,
    bot_score: bot.score,
    bot_reasons: [...bot.reasons],
    origin: fixed.origin,
    search_term: searchTerm,
  };
}

/**
 * Makes hits of a log's page views as the collector would have: same classification, same use of the address as the site allows. A
 * visitor is a keyed hash of site, address, agent and day (of the site), with yesterday's name beside it in the first minutes of a day, so that a
 * visit goes on over midnight. The mode is part of the names: what was only compared can be imported again to count.
 *
 * `namesElsewhere` are the names that the same visitor has where the day is another one: a view that was imported when the site had another time
 * zone, or by a version that went by UTC, is still known.
 */
export function createLogHits(
  naming: Naming,
  site: Pick<IndexedSite, 'id' | 'timeZone' | 'hosts' | 'measuring'>,
  mode: ImportMode,
  receivedAt: number,
): { readonly hitOf: (view: LogView) => HitRow; readonly namesElsewhere: (view: LogView) => string[] } {
  const { addresses, searchParams, spam, visits } = site.measuring;
  const origin = logOrigin[mode];
  const fixed = { siteId: site.id, receivedAt, origin };
  const senders = remember(remembered, (key: string) => newSender(key, addresses));
  const visitorOf = (day: number, { address }: Sender, agent: string): string => naming.id('visitor', origin, site.id, `${day}\n${address}\n${agent}`);
  /** By what an address tells beside its path: a site has many pages and few campaigns and referrers. */
  const arrivals = remember(10_000, (key: string): Arrival => {
    const [url = '', referrer = ''] = key.split('\n');
    const source = sourceColumns(url, referrer, site.hosts);
    return { source, spam: isReferrerSpam(source.ref_host, spam, site.hosts), searchTerm: searchTermOf(url, searchParams) };
  });

  const agentOf = (line: LogLine): string => cleanText(line.agent, 1000);
  const senderOf = (line: LogLine, agent: string): Sender => senders(`${line.address.slice(0, longestAddress)}\n${agent}`);

  function namesElsewhere({ line }: LogView): string[] {
    const agent = agentOf(line);
    const sender = senderOf(line, agent);
    const today = dayNumber(daySpanAt(line.at, site.timeZone).day);
    return [visitorOf(today - 1, sender, agent), visitorOf(today + 1, sender, agent)];
  }

  function hitOf(view: LogView): HitRow {
    const { text, n, line, place } = view;
    const agent = agentOf(line);
    const sender = senderOf(line, agent);
    const { day, dayBefore, start } = daySpanAt(line.at, site.timeZone);
    const today = dayNumber(day);
    if (sender.day !== today) {
      sender.day = today;
      sender.visitor = visitorOf(today, sender, agent);
      sender.yesterday = noId;
      sender.addressKey = sender.address === '' ? noId : naming.id('address', site.id, `${today}\n${sender.address}`);
    }
    const soonAfterMidnight = line.at - start < visits.gapMinutes * MINUTE;
    if (soonAfterMidnight && sender.yesterday === noId) sender.yesterday = visitorOf(dayNumber(dayBefore), sender, agent);
    const arrival = arrivals(`${withoutPath(place.url)}\n${cleanText(line.referrer, limits.referrer)}`);
    return rowOf(fixed, naming.id('view', origin, site.id, n, text), view, sender, soonAfterMidnight, arrival);
  }

  return { hitOf, namesElsewhere };
}

/** An address (`https://host/path?query`) as if it were of the site's root. */
function withoutPath(url: string): string {
  const queryStart = url.indexOf('?');
  return url.slice(0, url.indexOf('/', 'https://'.length) + 1) + (queryStart === -1 ? '' : url.slice(queryStart));
}
