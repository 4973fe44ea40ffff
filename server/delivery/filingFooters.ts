import { createHash } from 'node:crypto';
import { concernsHost, filingRows, footerHtml, footerNumbers, isInFooter } from '../areas/filings';
import type { Context } from '../context';

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
  readonly of: (siteId: string, host: string | null) => Promise<FilingFooter>;
  readonly close: () => void;
};

/** In case an event was lost. */
const refreshEvery = 60_000;
/** After a failure, so that pages in memory do not wait for PostgreSQL one after the other. */
const retryAfter = 5000;
const mostSites = 20_000;

type Row = Awaited<ReturnType<typeof filingRows>>[number];
type Entry = { rows: readonly Row[] | null; readAt: number; stale: boolean; byHost: Map<string, FilingFooter>; reading: Promise<void> | null };
const mostHosts = 200;

function footerFor(rows: readonly Row[], host: string): FilingFooter {
  const html = footerHtml(footerNumbers(rows, host));
  if (html === '') return noFooter;
  const domain = rows.flatMap(({ domains }) => domains).find((one) => concernsHost([one], host));
  return { domain: domain ?? '', html, version: createHash('sha256').update(html).digest('base64url').slice(0, 16) };
}

/**
 * Filings act at once and are no part of a release, so pages read them beside it. If they cannot be read, those before stay in use: a page without its number is better
 * than none.
 */
export function openFilingFooters(ctx: Context): FilingFooters {
  const entries = new Map<string, Entry>();

  async function refresh(siteId: string, entry: Entry): Promise<void> {
    entry.stale = false;
    try {
      entry.rows = (await filingRows(ctx, siteId)).filter(isInFooter);
      entry.readAt = ctx.now();
      entry.byHost = new Map();
    } catch (error) {
      entry.readAt = ctx.now() - refreshEvery + retryAfter;
      ctx.log.warn('The filings of a site could not be read; those before stay in use', { siteId, error });
    } finally {
      entry.reading = null;
    }
  }

  const stop = ctx.live.subscribe((event) => {
    if (event.type !== 'filings') return;
    const entry = entries.get(event.siteId);
    if (entry) entry.stale = true;
  });

  return {
    async of(siteId, host) {
      const entry = entries.get(siteId) ?? { rows: null, readAt: -Infinity, stale: true, byHost: new Map<string, FilingFooter>(), reading: null };
      if (entries.size >= mostSites) entries.clear();
      entries.set(siteId, entry);
      if (entry.stale || ctx.now() - entry.readAt >= refreshEvery) {
        entry.reading ??= refresh(siteId, entry);
        await entry.reading;
      }
      const rows = entry.rows ?? [];
      if (rows.length === 0 || host === null) return noFooter;
      const known = entry.byHost.get(host);
      if (known) return known;
      const footer = footerFor(rows, host);
      if (entry.byHost.size >= mostHosts) entry.byHost.clear();
      entry.byHost.set(host, footer);
      return footer;
    },
    close: stop,
  };
}

const style =
  '.site-filings{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 16px;padding:16px;font-size:12px;line-height:1.6;text-align:center}.site-filings a{color:inherit;text-decoration:none}.site-filings a:hover{text-decoration:underline}';
/** For the head of a page with a footer: themes know nothing of it. */
export const footerStyle = `<style>${style}</style>`;
/** The source that a content security policy has to name for it. */
export const footerStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
