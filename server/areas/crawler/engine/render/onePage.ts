import { createState } from '../crawlState';
import { parsePage } from '../parse';
import type { CrawlStart } from '../protocol';
import { createRobotsFiles } from '../robotsFiles';
import type { Fetched, ParsedPage } from '../terms';
import { Rendering } from './rendering';

/** In a process of its own: runs the scripts of one page that was received, under the rules of a crawl. `facts.rendering` says what became of it. */
export async function renderPage(start: CrawlStart, response: Fetched, usualCharset: string | null): Promise<ParsedPage> {
  const state = createState(start, () => [], Date.now);
  const request = (url: string): Promise<Fetched> => state.fetcher.send(url, { timeout: 20_000 });
  const robots = createRobotsFiles({ token: state.token, earlier: [], request, now: Date.now, onChange: () => undefined });
  const rendering = new Rendering(state, robots);
  const { url, headers, body } = response;
  const { isInternal } = state.scope;
  const raw = parsePage({ url, headers, body, usualCharset, isInternal, dropParameters: start.config.scope.dropParameters });
  const entry = { id: 0, url, depth: 0, hops: 0, source: 'seed', fromId: null, attempts: 0, late: 0 } as const;
  try {
    return (await rendering.page(entry, response, raw)) ?? raw;
  } finally {
    await Promise.all([rendering.close(), state.fetcher.close()]);
  }
}
