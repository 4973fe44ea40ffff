import type { CrawlerConfig } from '../../../../../contract/crawler/config';
import { usualRender } from '../../../../../contract/crawler/terms';
import type { PageReading } from '../../../../../contract/crawler/terms';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { startCrawlProcess } from '../crawlProcess';
import { deliveredOrigins } from '../ownership';
import { freshRun } from '../protocol';
import type { CrawlStart } from '../protocol';
import type { Fetched, ParsedPage } from '../terms';
import { findChromium } from './findChromium';

/** Pages that this program renders at once for checks and previews; a browser needs some 200 MB. */
const places = 2;
/** Milliseconds from the start of the process to the page; its own limits end before. */
const longest = 60_000;

const active = new WeakMap<Context, number>();

export type PageToRead = {
  readonly siteId: string;
  readonly config: CrawlerConfig;
  /** With the values of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
  readonly usualCharset?: string | null;
};
export type ReadPage = { readonly page: ParsedPage; readonly reading: PageReading };

async function inProcess(start: CrawlStart, response: Fetched, usualCharset: string | null): Promise<ParsedPage> {
  const child = startCrawlProcess();
  const late = setTimeout(() => child.kill(), longest);
  try {
    await child.next();
    child.send({ type: 'render', start, response, usualCharset });
    const message = await child.next();
    if (message.type !== 'rendered') throw new Error(message.type === 'failed' ? message.message : `unexpected message ${message.type}`);
    return message.page;
  } finally {
    clearTimeout(late);
    child.kill();
  }
}

/**
 * A page that was received, as the crawler would read it: with what its scripts write, if it runs them and the page needs it, in a process of its own, as in a crawl. `raw`: as
 * it was received, which it stays if there is no Chromium or the scripts fail. Throws `too_many_requests` while `places` others are rendered.
 */
export async function renderOnce(
  ctx: Context,
  { siteId, config, headers, verified, usualCharset }: PageToRead,
  response: Fetched,
  raw: ParsedPage,
): Promise<ReadPage> {
  const { mode } = config.render ?? usualRender;
  if (mode === 'off' || (mode === 'auto' && !raw.facts.needsScripts)) return { page: raw, reading: 'received' };
  const chromium = findChromium(ctx.config.chromiumPath);
  if (chromium === null) return { page: raw, reading: 'no_browser' };
  const running = active.get(ctx) ?? 0;
  if (running >= places) fail('too_many_requests');
  active.set(ctx, running + 1);
  try {
    const ownOrigins = await deliveredOrigins(ctx, siteId);
    const start: CrawlStart = {
      siteId,
      runId: '',
      config,
      verified,
      allowNear: ctx.config.privateSites,
      ownOrigins,
      chromium,
      headers,
      folder: null,
      ...freshRun,
    };
    const page = await inProcess(start, response, usualCharset ?? null);
    return { page, reading: page.facts.rendering?.problem ?? 'rendered' };
  } catch (error) {
    ctx.log.warn('A page could not be rendered', { error });
    return { page: raw, reading: 'failed' };
  } finally {
    active.set(ctx, (active.get(ctx) ?? 1) - 1);
  }
}
