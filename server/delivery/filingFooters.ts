import { createHash } from 'node:crypto';
import { concernsHost, filingRows, footerHtml, footerNumbers, isInFooter } from '../areas/filings';
import type { Context } from '../context';
import { openSiteCache } from './siteCache';

/** Numbers of filings that the pages of a site show under a host. */
export type FilingFooter = {
  /** Names the numbers in keys of caches: the domain that they belong to; empty: the same as under every host. */
  readonly domain: string;
  readonly html: string;
  /** Changes with `html`; short, for keys of caches. */
  readonly version: string;
};
export const noFooter: FilingFooter = { domain: '', html: '', version: '' };

export type FilingFooters = {
  /** From memory unless a filing of the site has changed. */
  readonly of: (siteId: string, host: string | null) => FilingFooter | Promise<FilingFooter>;
  readonly close: () => void;
};

const mostSites = 20_000;
const mostHosts = 200;

type Rows = Awaited<ReturnType<typeof filingRows>>;
/** Filings of a site that its pages show, and its footers by host. */
type SiteFooters = { readonly rows: Rows; readonly byHost: Map<string, FilingFooter> };

function footerFor(rows: Rows, host: string): FilingFooter {
  const html = footerHtml(footerNumbers(rows, host));
  if (html === '') return noFooter;
  const domain = rows.flatMap(({ domains }) => domains).find((one) => concernsHost([one], host));
  return { domain: domain ?? '', html, version: createHash('sha256').update(html).digest('base64url').slice(0, 16) };
}

/** If filings cannot be read, those before stay in use: a page without its number is better than none. */
export function openFilingFooters(ctx: Context): FilingFooters {
  const sites = openSiteCache<SiteFooters>(ctx, {
    name: 'filings',
    event: 'filings',
    mostSites,
    read: async (siteId) => ({ rows: (await filingRows(ctx, siteId)).filter(isInFooter), byHost: new Map() }),
    fallback: { rows: [], byHost: new Map() },
  });
  function footerOf({ rows, byHost }: SiteFooters, host: string | null): FilingFooter {
    if (rows.length === 0 || host === null) return noFooter;
    const known = byHost.get(host);
    if (known) return known;
    const footer = footerFor(rows, host);
    if (byHost.size >= mostHosts) byHost.clear();
    byHost.set(host, footer);
    return footer;
  }
  return {
    of(siteId, host) {
      const found = sites.of(siteId);
      return found instanceof Promise ? found.then((one) => footerOf(one, host)) : footerOf(found, host);
    },
    close: sites.close,
  };
}

const style =
  '.site-filings{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;line-height:1.6}body>.site-filings{justify-content:center;padding:16px;text-align:center}.site-filings a{color:inherit;text-decoration:none}.site-filings a:hover{text-decoration:underline}';
/** For the head of a page with a footer: themes know nothing of it. */
export const footerStyle = `<style>${style}</style>`;
/** The source that a content security policy has to name for it. */
export const footerStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
