import { parseUrl } from '../../../../contract/parseUrl';
import type { Context } from '../../../context';
import { pageFindings } from '../../analytics/install/check';
import { ownsHost } from '../../hostnames';
import { findSite, systemHostOf } from '../../sites';
import { decode } from './decode';
import { createFetcher, defaultUserAgent } from './fetch';

const remembered = 10 * 60_000;
const answers = new WeakMap<Context, Map<string, { readonly at: number; readonly owned: boolean }>>();

const bare = (host: string): string => host.replace(/^www\./, '');

/** Whether the start page of a measured site has the tag of the site: only who controls the page can put it there. */
async function hasTag(ctx: Context, siteId: string, origin: string): Promise<boolean> {
  const fetcher = createFetcher({ allowNear: ctx.config.privateSites, userAgent: defaultUserAgent });
  try {
    let response = await fetcher.send(`${origin}/`, { timeout: 10_000, maxBytes: 2 * 2 ** 20 });
    for (let hop = 0; hop < 3 && response.location !== null; hop += 1) {
      // Another host proves nothing about this one.
      if (bare(new URL(response.location).hostname) !== bare(new URL(origin).hostname)) return false;
      response = await fetcher.send(response.location, { timeout: 10_000, maxBytes: 2 * 2 ** 20 });
    }
    if (response.error !== null) return false;
    const { headers, status, url } = response;
    const page = { url: new URL(url), status, headers, policies: [], text: decode(response.body, headers['content-type'] ?? '').text };
    return pageFindings(page, new URL(origin), siteId).some(({ code }) => code === 'tag_found');
  } finally {
    await fetcher.close();
  }
}

/** Origins at which this program delivers a site by itself: their addresses come from its configuration, so that they may be on this machine. */
export async function deliveredOrigins(ctx: Context, siteId: string): Promise<string[]> {
  const site = await findSite(ctx, siteId);
  const system = site && systemHostOf(site, ctx.config);
  return system ? [new URL(system).origin] : [];
}

async function isOwned(ctx: Context, siteId: string, url: URL): Promise<boolean> {
  const site = await findSite(ctx, siteId);
  if (!site) return false;
  if ((await deliveredOrigins(ctx, siteId)).some((origin) => new URL(origin).host === url.host)) return true;
  if (await ownsHost(ctx.postgres.db, siteId, url.hostname)) return true;
  const own = parseUrl(site.url ?? '');
  const isSite = own !== null && bare(own.host) === bare(url.host);
  return isSite && hasTag(ctx, siteId, url.origin);
}

/**
 * Whether the host of an address is proven to be the site's own: it is delivered here, its ownership was verified, or it is the address of a measured site whose start page has
 * the site's tag. What a request found counts for ten minutes.
 */
export async function isVerified(ctx: Context, siteId: string, url: string): Promise<boolean> {
  const address = parseUrl(url);
  if (address === null) return false;
  let known = answers.get(ctx);
  if (known === undefined) {
    known = new Map();
    answers.set(ctx, known);
  }
  const key = `${siteId} ${address.origin}`;
  const before = known.get(key);
  if (before !== undefined && ctx.now() - before.at < remembered) return before.owned;
  const owned = await isOwned(ctx, siteId, address);
  if (known.size > 1000) known.clear();
  known.set(key, { at: ctx.now(), owned });
  return owned;
}
