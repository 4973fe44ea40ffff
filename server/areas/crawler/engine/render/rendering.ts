import type { PageFacts } from '../../../../../contract/crawler/facts';
import { usualRender } from '../../../../../contract/crawler/terms';
import type { RefusedRequest, RenderProblem, RenderStop } from '../../../../../contract/crawler/terms';
import type { CrawlState } from '../crawlState';
import { createFetcher, identityOf } from '../fetch';
import type { FrontierEntry } from '../frontier';
import { normalizeUrl } from '../normalize';
import { unitsOf } from '../pageRow';
import { parsePage } from '../parse';
import type { RobotsFiles } from '../robotsFiles';
import { linkWithoutElement } from '../terms';
import type { Fetched, ParsedPage } from '../terms';
import { answerOf, createAnswers } from './answers';
import { createBrowsers } from './browsers';
import { RenderFailure } from './page';
import type { RenderedPage } from './page';
import { createTurns } from './turns';

/** Pages that are rendered at once, and that wait for it before the crawl itself waits. */
const places = 2;
const mostWaiting = 20;
/** Failures one after the other after which no page is rendered any more. */
const mostFailures = 5;

/** The page as its scripts leave it. What the response itself says is that of the response, and the need for scripts is a fact of the page without them. */
function withRendered(
  state: CrawlState,
  response: Fetched,
  raw: ParsedPage,
  { html, navigation }: RenderedPage,
  refused: readonly RefusedRequest[],
): ParsedPage {
  const { url } = response;
  const { dropParameters } = state.config.scope;
  const headers = { ...response.headers, 'content-type': 'text/html; charset=utf-8' };
  const rendered = parsePage({ url, headers, body: Buffer.from(html), isInternal: state.scope.isInternal, dropParameters });
  const { charset, needsScripts, secrets, titles, counts } = raw.facts;
  const facts: PageFacts = {
    ...rendered.facts,
    charset,
    headers: raw.facts.headers,
    needsScripts,
    secrets: [...secrets, ...rendered.facts.secrets.filter(({ excerpt }) => !secrets.some((one) => one.excerpt === excerpt))].slice(0, 10),
    rendering: {
      problem: null,
      refused: [...refused],
      raw: { title: titles[0] ?? null, units: unitsOf(raw.facts), links: counts.internalLinks + counts.externalLinks },
    },
  };
  const target = navigation === null ? null : normalizeUrl(navigation, url, dropParameters);
  return { ...rendered, facts, links: target === null || target === url ? rendered.links : [...rendered.links, linkWithoutElement(target, 'refresh')] };
}
const withProblem = (raw: ParsedPage, problem: RenderProblem): ParsedPage => ({ ...raw, facts: { ...raw.facts, rendering: { problem, raw: null } } });

/** Runs the scripts of pages in the Chromium of the server. A page that cannot be rendered is recorded as it was received; the crawl goes on. */
export class Rendering {
  readonly turns: ReturnType<typeof createTurns>;
  private readonly state: CrawlState;
  private readonly settings: { readonly mode: 'off' | 'auto' | 'all'; readonly pages: number };
  private readonly browsers: ReturnType<typeof createBrowsers> | null;
  private readonly fetcher: ReturnType<typeof createFetcher>;
  private readonly answersFor: ReturnType<typeof createAnswers>;
  /** Origins that pages may request although they are on this machine or in a private network. */
  private readonly nearOrigins: Set<string>;
  /** What is called with whether the page may be rendered now. */
  private waiting: ((isNext: boolean) => void)[] = [];
  private active = 0;
  private failures = 0;
  private ending: 'no' | 'record' | 'leave' = 'no';

  constructor(state: CrawlState, robots: RobotsFiles) {
    const { start, config, now } = state;
    this.state = state;
    this.settings = config.render ?? usualRender;
    this.turns = createTurns(state.governor, now);
    this.browsers = start.chromium === null || this.settings.mode === 'off' ? null : createBrowsers(start.chromium, state.userAgent);
    this.nearOrigins = new Set(start.ownOrigins);
    const { userAgent, ports } = identityOf(config, {});
    this.fetcher = createFetcher({
      allowNear: false,
      ownOrigins: this.nearOrigins,
      userAgent,
      ports,
      ...(start.authorities === undefined ? {} : { authorities: start.authorities }),
    });
    this.answersFor = createAnswers({ state, robots, turns: this.turns, fetcher: this.fetcher, nearOrigins: this.nearOrigins });
  }

  /** Whether more pages would have to wait for a long time. */
  isFull(): boolean {
    return this.waiting.length >= mostWaiting;
  }

  /** Whether the scripts of a page are to be run; if they cannot be, the run says why. */
  applies({ facts }: ParsedPage): boolean {
    const { mode, pages } = this.settings;
    if (mode === 'off' || (mode === 'auto' && !facts.needsScripts)) return false;
    const { counters } = this.state;
    if (this.browsers === null) return this.stop('no_browser');
    if (this.failures >= mostFailures) return this.stop('browser_failed');
    return counters.rendered + counters.renderFailures + this.active + this.waiting.length < pages || this.stop('limit');
  }
  private stop(reason: RenderStop): false {
    this.state.counters.renderStop = reason;
    return false;
  }

  /** Resolves with false if the crawl ends before. */
  private place(): Promise<boolean> | boolean {
    if (this.ending !== 'no') return false;
    if (this.active >= places) return new Promise((resolve) => this.waiting.push(resolve));
    this.active += 1;
    return true;
  }
  private leavePlace(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.active -= 1;
    else next(true);
  }

  /** The page as its scripts write it, or as it was received if that fails. Null: the crawl ends, and the page is to be requested again by the next process. */
  async page(entry: FrontierEntry, response: Fetched, raw: ParsedPage): Promise<ParsedPage | null> {
    const isNext = await this.place();
    if (!isNext) return this.isLeaving() ? null : raw;
    try {
      const found = await this.render(entry, response, raw);
      return this.isLeaving() ? null : found;
    } finally {
      this.leavePlace();
    }
  }
  private isLeaving(): boolean {
    return this.ending === 'leave';
  }

  private async render(entry: FrontierEntry, response: Fetched, raw: ParsedPage): Promise<ParsedPage> {
    const { state, browsers } = this;
    if (browsers === null) return raw;
    const { origin } = new URL(entry.url);
    if (state.start.allowNear) this.nearOrigins.add(origin);
    const headers = { ...response.headers, 'content-type': `text/html; charset=${raw.facts.charset.used}` };
    const document = answerOf({ status: 200, headers, body: response.body });
    const refused = new Set<RefusedRequest>();
    const answer = this.answersFor(entry.url, (why) => refused.add(why));
    try {
      const page = await browsers.render({ url: entry.url, document, answer, onSocket: () => refused.add('socket') });
      const parsed = withRendered(state, response, raw, page, [...refused].toSorted());
      state.counters.rendered += 1;
      this.failures = 0;
      return parsed;
    } catch (error) {
      if (this.isLeaving()) return raw;
      state.counters.renderFailures += 1;
      this.failures += 1;
      return withProblem(raw, error instanceof RenderFailure ? error.problem : 'failed');
    }
  }

  /** `leave`: somebody pauses or stops the run, and pages that wait are left to its next process; `record`: at a limit, they are recorded as they were received. */
  end(how: 'record' | 'leave'): void {
    if (this.ending === 'leave') return;
    this.ending = how;
    for (const call of this.waiting.splice(0)) call(false);
    if (how === 'leave') this.browsers?.close();
  }

  async close(): Promise<void> {
    this.browsers?.close();
    await this.fetcher.close();
  }
}
