import { limits, otherEvent } from '../../contract/collect/schemas';
import { normalizePath } from '../../contract/paths';
import type { Measuring } from '../areas/sites';
import { daySpanAt } from '../zone';
import type { DaySpan } from '../zone';
import { botSignals, deviceOf, hintsOf, isReferrerSpam, maskAddress, placeOf, sourceOf, usableAddress, withReason } from './classify';
import type { BotSignals } from './classify';
import { createRecentMap, remember } from './classify/lru';
import type { Identity } from './identity';
import { noId, noSource } from './row';
import type { HitOrigin, HitRow, SourceColumns } from './row';
import { searchTermOf } from './siteSearch';
import { cleanText } from './text';
import type { ValidBody } from './validate';

/** One POST, as far as the collector is concerned. `headers` in lower case. */
export type CollectRequest = {
  readonly body: string;
  readonly address: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};
export type CollectedSite = {
  readonly id: string;
  readonly timeZone: string;
  readonly identity: 'first_party' | 'cookieless';
  readonly hosts: readonly string[];
  readonly measuring: Pick<Measuring, 'doNotTrack' | 'globalPrivacyControl' | 'addresses' | 'searchParams' | 'spam' | 'visits'>;
};
/** A visitor whom the sender has named for good, and how the hit came (POST …/als/hits). */
export type Named = { readonly visitor: string; readonly alt: string; readonly origin: HitOrigin };

/** What a browser's wishes mean on a site: the strictest of them counts. */
export function wishOf(headers: CollectRequest['headers'], { doNotTrack, globalPrivacyControl }: CollectedSite['measuring']): Measuring['doNotTrack'] {
  const wishes = [headers['dnt'] === '1' ? doNotTrack : 'ignore', headers['sec-gpc'] === '1' ? globalPrivacyControl : 'ignore'];
  return wishes.includes('refuse') ? 'refuse' : wishes.includes('cookieless') ? 'cookieless' : 'ignore';
}

/**
 * Makes the rows that are stored: names the visitor and classifies, once, before anything is written. So neither the
 * address nor the user agent ever reaches the disk, a row is the same however often it is drained, and a hit that waits
 * in the journal is not named by a later day's salt. All of it is cached; beside the fsync that follows it costs nothing
 * (bench/RESULTS.md).
 */
export function createHitMaker(
  identity: Identity,
): (
  request: CollectRequest,
  site: CollectedSite,
  body: Pick<ValidBody, 'visitor' | 'hits'> & Partial<Pick<ValidBody, 'hints'>>,
  receivedAt: number,
  sent?: Named,
) => HitRow[] {
  const owners = rememberOwners();
  const eventName = limitNames();
  const sourceIn = remember(rememberedSources, (key: string) => {
    const [hosts = '', url = '', referrer = ''] = key.split('\n');
    return sourceColumns(url, referrer, hosts.split(' '));
  });

  return (request, site, body, receivedAt, sent) => {
    const { userAgent, headers } = request;
    const { addresses, searchParams, spam } = site.measuring;
    // From here on there is no more of the address than the site allows.
    const address = usableAddress(request.address, addresses);
    const place = placeWithin(address, addresses);
    const device = deviceOf(userAgent, hintsOf(headers, body.hints ?? null));
    const masked = maskAddress(request.address, addresses);
    // A browser that asks not to be recognised is not, even if a script sent an id.
    const id = site.identity === 'first_party' && wishOf(headers, site.measuring) === 'ignore' ? body.visitor : null;
    const teller = sent?.origin === 'server' ? 'server' : 'browser';
    const signalsOf = rememberSignals(userAgent, address, headers);

    return body.hits.map((hit) => {
      const named = sent
        ? { id: sent.visitor, alt: sent.alt }
        : id === null
          ? identity.visitorOf(site, { address, userAgent }, hit.at, teller)
          : { id, alt: noId };
      const owner = owners(site.id, hit.view, named.id);
      const signals = signalsOf(hit.webdriver);
      // A ping never begins a visit, so nobody asks for its source.
      const source = hit.kind === 'engage' ? noSource : sourceIn(`${site.hosts.join(' ')}\n${hit.url}\n${hit.referrer}`);
      const bot = isReferrerSpam(source.ref_host, spam, site.hosts) ? withReason(signals, 'spam') : signals;
      return {
        site_id: site.id,
        visitor_id: owner,
        visitor_alt: owner === named.id ? named.alt : noId,
        view_id: hit.view,
        seq: hit.seq,
        kind: hit.kind,
        at: hit.at,
        received_at: receivedAt,
        host: hit.host,
        path: hit.path,
        query: hit.query,
        title: hit.title,
        engaged_ms: hit.engagedMs,
        scroll: hit.scroll,
        name: hit.kind === 'event' ? eventName(site, hit.name, receivedAt) : '',
        props: hit.props,
        ...source,
        device_type: device.deviceType,
        os: device.os,
        os_version: device.osVersion,
        browser: device.browser,
        browser_version: device.browserVersion,
        screen_w: hit.screenW,
        screen_h: hit.screenH,
        lang: hit.lang,
        country: place.country,
        province: place.province,
        city: place.city,
        isp: place.isp,
        ip_key: address === '' ? noId : identity.addressKeyOf(site, address, hit.at, teller),
        ip_masked: masked,
        bot_score: bot.score,
        bot_reasons: [...bot.reasons],
        origin: sent?.origin ?? 'script',
        search_term: hit.kind === 'view' ? searchTermOf(hit.url, searchParams) : '',
      };
    });
  };
}

/** Sixteen bits of an address lie in one country, seldom in one city. */
function placeWithin(address: string, addresses: Measuring['addresses']): ReturnType<typeof placeOf> {
  const place = placeOf(address);
  return addresses === 'two' ? { ...place, province: '', city: '' } : place;
}

/** The signals of one request, which are the same for all its hits that tell the same of a webdriver. */
function rememberSignals(userAgent: string, ip: string, headers: CollectRequest['headers']): (webdriver: boolean) => BotSignals {
  const signals = new Map<boolean, BotSignals>();
  return (webdriver) => {
    let known = signals.get(webdriver);
    if (known === undefined) signals.set(webdriver, (known = botSignals({ userAgent, ip, headers, webdriver })));
    return known;
  };
}

/** People of one site land on the same pages from the same places. */
const rememberedSources = 10_000;
export function sourceColumns(url: string, referrer: string, siteHosts: readonly string[]): SourceColumns {
  const source = sourceOf({ url, referrer, siteHosts });
  return {
    source_type: source.sourceType,
    source_name: cleanText(source.sourceName, 200),
    keyword: cleanText(source.keyword, 200),
    keyword_from: source.keywordFrom,
    ref_host: cleanText(source.refHost, 255),
    ref_path: cleanText(normalizePath(source.refPath), 2000),
    ref_url: cleanText(normalizePath(source.refUrl), 2000),
    utm_source: cleanText(source.utmSource, 200),
    utm_medium: cleanText(source.utmMedium, 200),
    utm_campaign: cleanText(source.utmCampaign, 200),
    utm_term: cleanText(source.utmTerm, 200),
    utm_content: cleanText(source.utmContent, 200),
    click_id: source.clickId,
  };
}

/** Views whose visitor is remembered; those that are open now. */
const mostViews = 200_000;

/**
 * A view belongs to whom its first hit named. So a hit that is sent again from another network (no answer came, the phone
 * moved from wifi to mobile) is still the same hit, and consent given in the middle of a page does not split the page.
 */
function rememberOwners(): (siteId: string, view: string, visitor: string) => string {
  const owners = createRecentMap<string>(mostViews);
  return (siteId, view, visitor) => {
    const key = siteId + view;
    const owner = owners.get(key);
    if (owner !== undefined) return owner;
    owners.set(key, visitor);
    return visitor;
  };
}

const ownEvents: ReadonlySet<string> = new Set(['$outbound', '$download', '$form', '$404', '$vitals']);
/**
 * At most so many names of events a site and day (the site's, by this process): a sender that makes up a new name for every event would
 * otherwise make the lists of all others unreadable, and the store slow.
 */
function limitNames(): (site: CollectedSite, name: string, now: number) => string {
  const sites = new Map<string, { readonly day: DaySpan; readonly names: Set<string> }>();
  let nextDay = 0;
  return (site, name, now) => {
    const day = daySpanAt(now, site.timeZone);
    if (now >= nextDay) {
      for (const [id, one] of sites) if (one.day.end <= now) sites.delete(id);
      nextDay = day.end;
    }
    let today = sites.get(site.id);
    if (today === undefined || today.day.day !== day.day) sites.set(site.id, (today = { day, names: new Set() }));
    const { names } = today;
    if (names.has(name)) return name;
    // The program's own names are few and always distinguished; other names with the same prefix are counted together.
    if (names.size >= limits.eventNamesPerDay && !ownEvents.has(name)) return name.startsWith('$') ? `$${otherEvent}` : otherEvent;
    names.add(name);
    return name;
  };
}
