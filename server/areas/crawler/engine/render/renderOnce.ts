import type { CrawlerConfig } from '../../../../../contract/crawler/config';
import { usualRender } from '../../../../../contract/crawler/terms';
import type { PageReading } from '../../../../../contract/crawler/terms';
import type { Context } from '../../../../context';
import { Failure } from '../../../../http/failure';
import { oneOffProcess } from '../oneOffProcess';
import { deliveredOrigins } from '../ownership';
import { freshRun } from '../protocol';
import type { CrawlStart } from '../protocol';
import type { Fetched, ParsedPage } from '../terms';
import { findChromium } from './findChromium';

/** For checks and previews. A browser needs some 200 MB; rendering has shorter time limits of its own. */
const render = oneOffProcess('rendered', { places: 2, longest: 60_000 });

export type PageToRead = {
  readonly siteId: string;
  readonly config: CrawlerConfig;
  /** With the values of secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
  readonly usualCharset?: string | null;
};
export type ReadPage = { readonly page: ParsedPage; readonly reading: PageReading };

/**
 * A page that was received, as the crawler would read it: with what its scripts write, if it runs them and the page needs it, in a process of its own, as in a crawl. `raw`: as
 * it was received, which it stays if there is no Chromium or the scripts fail. Throws `too_many_requests` while two others are rendered.
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
    const { page } = await render(ctx, { type: 'render', start, response, usualCharset: usualCharset ?? null });
    return { page, reading: page.facts.rendering?.problem ?? 'rendered' };
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_many_requests') throw error;
    ctx.log.warn('A page could not be rendered', { error });
    return { page: raw, reading: 'failed' };
  }
}
