import { parseRobots, robotsVerdict } from '../../../../contract/seo/robots';
import type { Context } from '../../../context';
import { decode } from './decode';
import { createFetcher, defaultUserAgent, tokenOfAgent } from './fetch';
import type { Fetcher, FetcherOptions } from './fetch';
import { normalizeUrl, splitUrl } from './normalize';
import { deliveredOrigins, isVerified } from './ownership';
import { isHtml, mimeOf } from './pageRow';
import { parsePage } from './parse';
import { crawlDelayOf } from './robotsFiles';
import { readSitemaps } from './sitemaps';
import type { Fetched, FetchOptions, ParsedPage, Probe } from './terms';

const timeout = 15_000;
const mostRedirects = 10;
/** Sitemap files that a probe reads. */
const mostFiles = 3;

type Identity = Pick<FetcherOptions, 'userAgent' | 'secretHeaders' | 'ports' | 'ownOrigins'>;

/** Runs with connections of its own, which end afterwards. */
async function withFetcher<T>(ctx: Context, work: (fetcher: Fetcher) => Promise<T>, identity: Identity): Promise<T> {
  const fetcher = createFetcher({ allowNear: ctx.config.privateSites, ...identity });
  try {
    return await work(fetcher);
  } finally {
    await fetcher.close();
  }
}

/** The same for requests that people make for a site before it has a crawler. */
const withFetcherOf = async <T>(ctx: Context, siteId: string, work: (fetcher: Fetcher) => Promise<T>): Promise<T> =>
  withFetcher(ctx, work, { userAgent: defaultUserAgent, ownOrigins: new Set(await deliveredOrigins(ctx, siteId)) });

/** One request as a crawler makes it, redirects not followed. Never throws for what the network does. */
export const fetchOnce = (ctx: Context, url: string, identity: Identity): Promise<Fetched> => withFetcher(ctx, (fetcher) => fetcher.send(url), identity);

async function follow(fetcher: Fetcher, start: string, options: FetchOptions): Promise<Fetched> {
  let response = await fetcher.send(start, options);
  for (let hop = 0; hop < mostRedirects && response.location !== null; hop += 1) response = await fetcher.send(response.location, options);
  return response;
}

/** What an address answers after redirects; it may be one of the site. */
export const fetchAddress = (ctx: Context, siteId: string, url: string): Promise<Fetched> =>
  withFetcherOf(ctx, siteId, (fetcher) => follow(fetcher, url, { timeout }));

/** Software by what it leaves in pages and headers, the most specific first. */
const platforms: readonly (readonly [string, RegExp])[] = [
  ['Shopify', /cdn\.shopify\.com|x-shopify|shopify\.theme/i],
  ['WooCommerce', /woocommerce/i],
  ['WordPress', /wp-content\/|wp-includes\/|name="generator" content="WordPress/i],
  ['Ghost', /content="Ghost \d|ghost-(?:sdk|portal)|\/ghost\/api/i],
  ['Wix', /static\.wixstatic\.com|x-wix/i],
  ['Squarespace', /squarespace\.com|static1\.squarespace/i],
  ['Webflow', /data-wf-page|webflow\.(?:com|js)/i],
  ['Drupal', /content="Drupal|\/sites\/default\/files\//i],
  ['Joomla', /content="Joomla/i],
  ['Typecho', /content="Typecho/i],
  ['Discuz!', /content="Discuz|discuz_uid/i],
  ['DedeCMS', /\/templets\/|content="DedeCMS/i],
  ['Z-BlogPHP', /Z-BlogPHP|\/zb_users\//i],
  ['Hexo', /content="Hexo/i],
  ['Hugo', /content="Hugo/i],
  ['Jekyll', /content="Jekyll/i],
  ['VuePress', /content="VuePress|VitePress/i],
  ['Docusaurus', /content="Docusaurus/i],
  ['Next.js', /\/_next\/static|__NEXT_DATA__/],
  ['Nuxt', /\/_nuxt\/|__NUXT__/],
];
const platformOf = (html: string, headers: Fetched['headers']): string | null => {
  const text = `${html.slice(0, 300_000)}\n${Object.entries(headers).join('\n')}`;
  return platforms.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
};

async function robotsOf(fetcher: Fetcher, url: string): Promise<Pick<Probe, 'robots' | 'crawlDelay' | 'sitemaps'>> {
  const { origin } = splitUrl(url);
  const { status, body } = await follow(fetcher, `${origin}/robots.txt`, { timeout });
  if (status === 0 || status === 429 || status >= 500) return { robots: 'closed', crawlDelay: null, sitemaps: [] };
  const text = status >= 200 && status < 300 ? decode(body, 'text/plain; charset=utf-8').text : '';
  const token = tokenOfAgent(defaultUserAgent);
  const robots = parseRobots(text);
  const { allowed } = robotsVerdict(robots, token, url);
  return { robots: allowed ? 'allowed' : 'blocked', crawlDelay: crawlDelayOf(text, token), sitemaps: robots.sitemaps.slice(0, 50) };
}

/** What a crawl of an address would meet. Follows redirects. Never throws for what the network does. */
export async function probe(ctx: Context, siteId: string, written: string): Promise<Probe> {
  const url = normalizeUrl(written) ?? written;
  const verified = await isVerified(ctx, siteId, url);
  return withFetcherOf(ctx, siteId, async (fetcher) => {
    const response = await follow(fetcher, url, { timeout });
    const { status, error, headers, body, url: finalUrl, firstByteMs } = response;
    const page: ParsedPage | null = error === null && isHtml(mimeOf(headers), body) ? parsePage({ url: finalUrl, headers, body }) : null;
    const found = { url, finalUrl, status, error, verified, firstByteMs, bytes: body.byteLength };
    if (error === 'address_refused' || error === 'dns')
      return {
        ...found,
        title: null,
        charset: '',
        robots: 'closed',
        crawlDelay: null,
        sitemaps: [],
        sitemapAddresses: null,
        platform: null,
        needsScripts: false,
      };
    const robots = await robotsOf(fetcher, finalUrl);
    let [files, addresses] = [0, 0];
    const { observations } = await readSitemaps(
      splitUrl(finalUrl).origin,
      robots.sitemaps.slice(0, mostFiles),
      (file) => fetcher.send(file, { timeout }),
      (urls) => {
        files += 1;
        addresses += urls.length;
        return files < mostFiles;
      },
    );
    return {
      ...found,
      ...robots,
      sitemaps: robots.sitemaps.length > 0 ? robots.sitemaps : observations.map((one) => one.url),
      sitemapAddresses: files === 0 ? null : addresses,
      title: page?.facts.titles[0] ?? null,
      charset: page?.facts.charset.used ?? '',
      platform: page === null ? null : platformOf(page.html, headers),
      needsScripts: page?.facts.needsScripts ?? false,
    };
  });
}
