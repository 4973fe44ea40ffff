import { botSignals, deviceOf, maskAddress, placeOf, sourceOf } from './classify';
import { remember } from './classify/lru';
import type { Identity } from './identity';
import { noId } from './row';
import type { HitRow, SourceColumns } from './row';
import { cleanText } from './text';
import type { ValidBody } from './validate';

/** One POST, as far as the collector is concerned. `headers` in lower case. */
export type CollectRequest = {
  readonly body: string;
  readonly address: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};
export type CollectedSite = { readonly id: string; readonly identity: 'first_party' | 'cookieless'; readonly hosts: readonly string[] };

/**
 * Makes the rows that are stored: names the visitor and classifies, once, before anything is written. So neither the
 * address nor the user agent ever reaches the disk, a row is the same however often it is drained, and a hit that waits
 * in the journal is not named by a later day's salt. All of it is cached; beside the fsync that follows it costs nothing
 * (bench/RESULTS.md).
 */
export function createHitMaker(identity: Identity): (request: CollectRequest, site: CollectedSite, body: ValidBody, receivedAt: number) => HitRow[] {
  const owners = rememberOwners();
  const sourceIn = remember(rememberedSources, (key: string) => {
    const [hosts = '', url = '', referrer = ''] = key.split('\n');
    return sourceColumns(url, referrer, hosts.split(' '));
  });

  return (request, site, body, receivedAt) => {
    const { address, userAgent, headers } = request;
    const place = placeOf(address);
    const device = deviceOf(userAgent);
    const masked = maskAddress(address);
    // A browser that asks not to be recognised is not, even if a script sent an id.
    const id = site.identity === 'first_party' && headers['sec-gpc'] !== '1' ? body.visitor : null;
    const signals = [false, true].map((webdriver) => remember(1, () => botSignals({ userAgent, ip: address, headers, webdriver })));

    return body.hits.map((hit) => {
      const named = id === null ? identity.visitorOf({ siteId: site.id, address, userAgent }, hit.at) : { id, alt: noId };
      const owner = owners(site.id, hit.view, named.id);
      const bot = (signals[Number(hit.webdriver)] as (key: string) => ReturnType<typeof botSignals>)('');
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
        name: hit.name,
        props: hit.props,
        // A ping never begins a visit, so nobody asks for its source.
        ...(hit.kind === 'engage' ? noSource : sourceIn(`${site.hosts.join(' ')}\n${hit.url}\n${hit.referrer}`)),
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
        ip_key: identity.addressKeyOf(site.id, address, hit.at),
        ip_masked: masked,
        bot_score: bot.score,
        bot_reasons: [...bot.reasons],
        origin: 'script',
        search_term: '',
      };
    });
  };
}

/** People of one site land on the same pages from the same places. */
const rememberedSources = 10_000;
const noSource: SourceColumns = {
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

function sourceColumns(url: string, referrer: string, siteHosts: readonly string[]): SourceColumns {
  const source = sourceOf({ url, referrer, siteHosts });
  return {
    source_type: source.sourceType,
    source_name: cleanText(source.sourceName, 200),
    keyword: cleanText(source.keyword, 200),
    keyword_from: source.keywordFrom,
    ref_host: cleanText(source.refHost, 255),
    ref_path: cleanText(source.refPath, 2000),
    ref_url: cleanText(source.refUrl, 2000),
    utm_source: cleanText(source.utmSource, 200),
    utm_medium: cleanText(source.utmMedium, 200),
    utm_campaign: cleanText(source.utmCampaign, 200),
    utm_term: cleanText(source.utmTerm, 200),
    utm_content: cleanText(source.utmContent, 200),
    click_id: source.clickId,
  };
}

/** Views whose visitor is remembered; those that are open now. */
const mostViews = 100_000;

/**
 * A view belongs to whom its first hit named. So a hit that is sent again from another network (no answer came, the phone
 * moved from wifi to mobile) is still the same hit, and consent given in the middle of a page does not split the page.
 */
function rememberOwners(): (siteId: string, view: string, visitor: string) => string {
  const owners = new Map<string, string>();
  return (siteId, view, visitor) => {
    const key = siteId + view;
    const owner = owners.get(key) ?? visitor;
    owners.delete(key);
    owners.set(key, owner);
    if (owners.size > mostViews) owners.delete(owners.keys().next().value as string);
    return owner;
  };
}
