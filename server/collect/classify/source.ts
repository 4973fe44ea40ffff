import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import type { SourceType } from '../../../contract/analytics/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import { referrerByHost, referrerByName, type Referrer } from './referrers';
import { keywordIn, parametersOf } from './searchTerms';

/** The source of a page view. Unknown or absent values are ''. */
export type Source = {
  readonly sourceType: SourceType;
  /** Name of the search engine, network or assistant; the registrable domain of an external site; the campaign's source. */
  readonly sourceName: string;
  readonly keyword: string;
  readonly keywordFrom: '' | 'referrer' | 'ad_param';
  readonly refHost: string;
  readonly refPath: string;
  /** Without fragment and tracking parameters. */
  readonly refUrl: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
  /** Name of the advertiser's click parameter (`gclid`), not its value. */
  readonly clickId: string;
};

/** Click ids that advertising platforms append. fbclid is not included: Facebook adds it to every outgoing link. */
const clickIds: ReadonlyMap<string, string> = new Map([
  ['gclid', 'Google'],
  ['gbraid', 'Google'],
  ['wbraid', 'Google'],
  ['dclid', 'Google'],
  ['bd_vid', 'Baidu'],
  ['qhclickid', '360 Search'],
  ['sg_vid', 'Sogou'],
  ['uctrackid', 'Shenma'],
  ['msclkid', 'Bing'],
  ['yclid', 'Yandex'],
  ['gdt_vid', 'Tencent Ads'],
  ['qz_gdt', 'Tencent Ads'],
  ['ttclid', 'TikTok'],
  ['twclid', 'X'],
  ['li_fat_id', 'LinkedIn'],
  ['rdt_cid', 'Reddit'],
  ['epik', 'Pinterest'],
]);
const tracking = /^(?:utm_\w+|hm(?:sr|pl|cu|kw|ci)|fbclid|igshid|mc_[ce]id|_hs\w+|spm|scm|share_(?:from|token|source|medium)|vd_source|_ga|_gl|si)$/i;

/** utm_source and the other UTM parameters; Baidu Tongji's own parameters are equivalent. */
const campaignOf = (parameters: ReadonlyMap<string, string>): Pick<Source, 'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmTerm' | 'utmContent'> => {
  const first = (...names: string[]): string =>
    names
      .map((name) => parameters.get(name)?.trim() ?? '')
      .find((value) => value !== '')
      ?.slice(0, 200) ?? '';
  return {
    utmSource: first('utm_source', 'hmsr'),
    utmMedium: first('utm_medium', 'hmpl'),
    utmCampaign: first('utm_campaign', 'hmcu'),
    utmTerm: first('utm_term', 'hmkw'),
    utmContent: first('utm_content', 'hmci'),
  };
};

const typeByMedium = (medium: string): SourceType | null => {
  const text = medium.toLowerCase();
  if (/^(?:(?:.*[\W_])?(?:cpc|ppc|cpm|cpa|cpv|ocpc|ocpm|sem|ads?|paid|banner|display|retargeting|feed)(?:[\W_].*)?|paid\w*|信息流|竞价|广告)$/.test(text))
    return 'ad';
  if (/^(?:e-?mail|edm|newsletter|邮件)$/.test(text)) return 'email';
  if (/^(?:social.*|sns|sm|社交|社媒)$/.test(text)) return 'social';
  if (/^(?:organic|seo)$/.test(text)) return 'search';
  if (/^(?:referral|affiliate|partner|link)$/.test(text)) return 'external';
  return null;
};

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');

/** The referrer without parameters that would identify the visitor or split one page into many. */
const cleanUrl = (url: URL): string => {
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      return pair !== '' && !tracking.test(name) && !clickIds.has(name.toLowerCase());
    });
  return `${url.origin}${url.pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`.slice(0, 2000);
};

type Came = Pick<Source, 'sourceType' | 'sourceName' | 'keyword' | 'keywordFrom' | 'refHost' | 'refPath' | 'refUrl'> & { readonly known: Referrer | null };
const nothing: Came = { sourceType: 'direct', sourceName: '', keyword: '', keywordFrom: '', refHost: '', refPath: '', refUrl: '', known: null };

const byReferrer = (written: string, own: ReadonlySet<string>): Came => {
  const url = parseUrl(written);
  if (!url) return nothing;
  if (url.protocol === 'android-app:') {
    // android-app://com.google.android.googlequicksearchbox/: the package name is in the position of the host.
    const name = url.host || url.pathname.replace(/^\/\//, '').split('/')[0] || '';
    const known = referrerByHost(name) ?? referrerByHost(name.split('.').pop() ?? '');
    return { ...nothing, sourceType: known?.type ?? 'external', sourceName: known?.name ?? name, refHost: name, refUrl: `android-app://${name}`, known };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return nothing;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const place = { refHost: host, refPath: url.pathname.slice(0, 2000), refUrl: cleanUrl(url) };
  if (own.has(bare(host))) return { ...nothing, ...place, sourceType: 'internal' };
  const assistant = /^(?:www\.)?(?:x|twitter)\.com$/.test(host) && url.pathname.startsWith('/i/grok') ? referrerByHost('grok.com') : null;
  const known = assistant ?? referrerByHost(host);
  if (!known) return { ...nothing, ...place, sourceType: 'external', sourceName: domainToUnicode(getDomain(host) ?? host) || host };
  const keyword = known.type === 'search' ? keywordIn(url.search, known) : '';
  return { ...place, sourceType: known.type, sourceName: known.name, keyword, keywordFrom: keyword ? 'referrer' : '', known };
};

/**
 * Determines the source of a view. Order: an advertiser's click id; campaign parameters (many assistants and apps send no referrer but tag their links); the
 * referrer; otherwise direct. `siteHosts` and the page's own host are internal. Never throws.
 *
 * @param from.url URL of the page, with its query
 * @param from.referrer document.referrer or the previous URL
 */
export const sourceOf = (from: { readonly url: string; readonly referrer: string; readonly siteHosts: readonly string[] }): Source => {
  const page = parseUrl(from.url);
  const own = new Set(from.siteHosts.map(bare));
  if (page) own.add(bare(page.hostname));
  const came = byReferrer(from.referrer, own);
  const parameters = parametersOf(page?.search ?? '');
  const campaign = campaignOf(parameters);
  const clickId = [...clickIds.keys()].find((name) => parameters.get(name)) ?? '';
  const { known, ...referrer } = came;
  const source = { ...referrer, ...campaign, clickId };

  // A reload or a navigation inside the site keeps the landing page's parameters in the URL; it is not a new arrival.
  if (came.sourceType === 'internal') return source;

  const word = campaign.utmTerm === '' || came.keyword !== '' ? {} : ({ keyword: campaign.utmTerm.slice(0, 100), keywordFrom: 'ad_param' } as const);
  if (clickId !== '') return { ...source, ...word, sourceType: 'ad', sourceName: clickIds.get(clickId) ?? '' };
  if (campaign.utmSource === '' && campaign.utmMedium === '') return source;
  const named = referrerByName(campaign.utmSource) ?? (campaign.utmSource === '' ? known : null);
  const sourceType =
    typeByMedium(campaign.utmMedium) ??
    named?.type ??
    (/^(?:e-?mail|edm|newsletter)$/i.test(campaign.utmSource) ? 'email' : came.sourceType === 'direct' ? 'external' : came.sourceType);
  return { ...source, ...word, sourceType, sourceName: named?.name ?? (campaign.utmSource || came.sourceName) };
};
