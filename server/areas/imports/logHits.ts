import { limits } from '../../../contract/collect';
import type { ImportMode } from '../../../contract/imports';
import { botSignals, deviceOf, maskAddress, placeOf, usableAddress } from '../../collect/classify';
import { remember } from '../../collect/classify/lru';
import { sourceColumns } from '../../collect/hits';
import { noId } from '../../collect/row';
import type { HitOrigin, HitRow } from '../../collect/row';
import { searchTermOf } from '../../collect/siteSearch';
import { cleanText, cut } from '../../collect/text';
import { gapMs } from '../../collect/visits';
import { dayNumber, daySpanAt } from '../../zone';
import type { IndexedSite } from '../sites';
import type { LogLine } from './line';
import type { Naming } from './naming';
import type { Place } from './pageView';

export const logOrigin: Readonly<Record<ImportMode, HitOrigin>> = { count: 'log', compare: 'audit' };

/** A log does not tell what languages a browser asks for: nothing is held against it for that. */
const unknownHeaders = { 'accept-language': '*' };
/** Longer ones are none (IPv6 with a zone, or a host's name). */
const longestAddress = 255;
/** Addresses with their agents whose classification is remembered. */
const remembered = 50_000;

/** `n`: which of the equal lines of its second it is. */
export type LogView = { readonly text: string; readonly n: number; readonly line: LogLine; readonly place: Place };

/**
 * Makes hits of a log's page views as the collector would have: same classification, same use of the address as the site allows. A
 * visitor is a keyed hash of site, address, agent and day (of the site), with yesterday's name beside it in the first half hour of a day, so that a
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
  const { addresses, searchParams } = site.measuring;
  const origin = logOrigin[mode];
  const senders = remember(remembered, (key: string) => {
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
      bot: { score: bot.score, reasons: [...bot.reasons] },
    };
  });
  const visitorOf = remember(remembered, (key: string) => naming.id('visitor', origin, site.id, key));
  const addressKeyOf = remember(remembered, (key: string) => naming.id('address', site.id, key));
  const sourceIn = remember(10_000, (key: string) => {
    const [url = '', referrer = ''] = key.split('\n');
    return sourceColumns(url, referrer, site.hosts);
  });

  const agentOf = (line: LogLine): string => cleanText(line.agent, 1000);
  const senderOf = (line: LogLine, agent: string): ReturnType<typeof senders> => senders(`${line.address.slice(0, longestAddress)}\n${agent}`);

  function namesElsewhere({ line }: LogView): string[] {
    const agent = agentOf(line);
    const today = dayNumber(daySpanAt(line.at, site.timeZone).day);
    return [today - 1, today + 1].map((day) => visitorOf(`${day}\n${senderOf(line, agent).address}\n${agent}`));
  }

  function hitOf({ text, n, line, place }: LogView): HitRow {
    const agent = agentOf(line);
    const sender = senderOf(line, agent);
    const { day, dayBefore, start } = daySpanAt(line.at, site.timeZone);
    const today = dayNumber(day);
    const who = `${sender.address}\n${agent}`;
    return {
      site_id: site.id,
      visitor_id: visitorOf(`${today}\n${who}`),
      visitor_alt: line.at - start < gapMs ? visitorOf(`${dayNumber(dayBefore)}\n${who}`) : noId,
      view_id: naming.id('view', origin, site.id, n, text),
      seq: 0,
      kind: 'view',
      at: line.at,
      received_at: receivedAt,
      host: cut(place.host, 255),
      path: place.path,
      query: place.query,
      title: '',
      engaged_ms: 0,
      scroll: 0,
      name: '',
      props: '',
      ...sourceIn(`${place.url}\n${cleanText(line.referrer, limits.referrer)}`),
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
      ip_key: sender.address === '' ? noId : addressKeyOf(`${today}\n${sender.address}`),
      ip_masked: sender.masked,
      bot_score: sender.bot.score,
      bot_reasons: sender.bot.reasons,
      origin,
      search_term: searchTermOf(place.url, searchParams),
    };
  }

  return { hitOf, namesElsewhere };
}
