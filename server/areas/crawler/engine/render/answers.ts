import { setTimeout as sleep } from 'node:timers/promises';
import type { RefusedRequest } from '../../../../../contract/crawler/terms';
import { literalRefusal } from '../../../../net/publicAddress';
import { hostOf } from '../crawlState';
import type { CrawlState } from '../crawlState';
import type { Fetcher } from '../fetch';
import { splitUrl } from '../normalize';
import { outcomeOf } from '../requests';
import type { RobotsFiles } from '../robotsFiles';
import type { Fetched } from '../terms';
import type { Answer, PageRequest } from './page';
import type { Turns } from './turns';

/** What one page may request. */
const most = { requests: 100, bytes: 20 * 2 ** 20 } as const;
const responseLimits = { maxBytes: 5 * 2 ** 20, timeout: 10_000 } as const;
/** Responses that several pages of a crawl need, such as their scripts. */
const mostStored = 32 * 2 ** 20;
const mostHeaders = 20;
const longestHeader = 2000;

/** Headers of requests that the crawl sets itself, that name a connection or a browser, or that make a request another one than it seems. */
const ownHeaders =
  /^(?:host|connection|cookie2?|origin|user-agent|accept-encoding|content-|transfer-encoding|te|trailer|upgrade|expect|keep-alive|range|date|via|forwarded|x-forwarded-|x-real-ip|x-http-method|x-method-override|if-|proxy-|sec-|:)/i;
/** Headers of responses that mean the connection, or that a browser would remember. */
const unusedHeaders =
  /^(?:content-(?:encoding|length)|transfer-encoding|set-cookie2?|connection|keep-alive|alt-svc|strict-transport-security|clear-site-data|report-to|reporting-endpoints|nel|service-worker-allowed)$/i;

const emptyStyle: Answer = { status: 200, headers: [['content-type', 'text/css']], body: new Uint8Array() };
/** A transparent pixel: a page may wait for its pictures, or replace those that are missing. */
const emptyImage: Answer = {
  status: 200,
  headers: [['content-type', 'image/gif']],
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
};
/** Styles and pictures say nothing about the text of a page; what else is not in these lists fails. */
const prepared: ReadonlyMap<string, Answer> = new Map([
  ['Stylesheet', emptyStyle],
  ['Image', emptyImage],
]);
const requested: ReadonlySet<string> = new Set(['Script', 'XHR', 'Fetch', 'Preflight']);

export const answerOf = ({ status, headers, body }: Pick<Fetched, 'status' | 'headers' | 'body'>): Answer => ({
  status,
  headers: Object.entries(headers).filter(([name]) => !unusedHeaders.test(name)),
  body,
});

/** The headers of a request of a page that are sent; `from`: the page. */
export function sentHeaders({ url, headers }: Pick<PageRequest, 'url' | 'headers'>, from: string): Record<string, string> {
  const sent = Object.entries(headers)
    .filter(([name, value]) => !ownHeaders.test(name) && value.length <= longestHeader)
    .slice(0, mostHeaders)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const { origin } = new URL(from);
  return { ...Object.fromEntries(sent), ...(new URL(url).origin === origin ? {} : { origin }) };
}

const headerOf = ({ headers }: PageRequest, header: string): string => Object.entries(headers).find(([name]) => name.toLowerCase() === header)?.[1] ?? '';
const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** What a server answers before another site's page may send headers of its own; nothing but reading is ever sent. */
function preflight(request: PageRequest, from: string): Answer {
  const requestedHeaders = headerOf(request, 'access-control-request-headers');
  const allowed: readonly (readonly [string, string])[] = [
    ['access-control-allow-origin', new URL(from).origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-methods', 'GET, HEAD'],
    ['access-control-allow-headers', requestedHeaders],
  ];
  return { status: 204, headers: allowed, body: new Uint8Array() };
}

export type AnswerSources = {
  readonly state: CrawlState;
  readonly robots: RobotsFiles;
  readonly turns: Turns;
  readonly fetcher: Fetcher;
  /** Origins that may be requested although they are on this machine or in a private network. */
  readonly nearOrigins: ReadonlySet<string>;
};

/**
 * Answers the requests of pages with the crawl's own connections, so that they pass the same guard, limits, robots.txt and pace as every request of the crawl. Only GET and HEAD, without
 * cookies. Returns what answers one page.
 */
export function createAnswers({ state, robots, turns, fetcher, nearOrigins }: AnswerSources) {
  const stored = new Map<string, Promise<Fetched>>();
  const sizes = new Map<string, number>();
  let storedBytes = 0;

  function remember(key: string, { body }: Fetched): void {
    sizes.set(key, body.byteLength);
    storedBytes += body.byteLength;
    for (const [oldest, size] of sizes) {
      if (storedBytes <= mostStored) break;
      sizes.delete(oldest);
      stored.delete(oldest);
      storedBytes -= size;
    }
  }

  /** Rules of the site's own hosts; those of others are requested as a browser would, one request after the other. */
  async function isAllowed(url: string, signal: AbortSignal): Promise<boolean> {
    const { origin, host } = splitUrl(url);
    if (!state.scope.isInternal(url) || !state.obeysRobots(host)) return true;
    let found = robots.state(origin);
    while (found.kind === 'loading' && !signal.aborted) {
      await sleep(10);
      found = robots.peek(origin) ?? found;
    }
    return robots.allows(found, url);
  }

  async function request(url: string, how: Pick<PageRequest, 'method'> & { readonly headers: Record<string, string> }, signal: AbortSignal): Promise<Fetched> {
    const host = hostOf(url);
    await turns.next(host, signal);
    const response = await fetcher.send(url, { ...responseLimits, method: how.method === 'HEAD' ? 'HEAD' : 'GET', headers: how.headers });
    state.governor.end(host, state.now(), outcomeOf(response, state.now()));
    turns.look();
    state.counters.bytes += response.wireBytes;
    return response;
  }

  function requestOnce(url: string, how: Parameters<typeof request>[1], signal: AbortSignal): Promise<Fetched> {
    const key = JSON.stringify([how.method, url, how.headers]);
    const found = stored.get(key);
    // It is given up if the page that made it has ended before its turn: the next one makes it again.
    if (found !== undefined) return found.catch(() => requestOnce(url, how, signal));
    const response = request(url, how, signal);
    stored.set(key, response);
    response.then(
      (fetched) => (fetched.error === null && fetched.status === 200 ? remember(key, fetched) : stored.delete(key)),
      () => stored.delete(key),
    );
    return response;
  }

  /** `from`: the page; `refuse`: is called with what its scripts may not do; `secrets`: headers of the crawler for its start addresses, which their own pages may send. */
  return (from: string, refuse: (why: RefusedRequest) => void) => {
    const refused = (why: RefusedRequest): null => {
      refuse(why);
      return null;
    };
    const secrets = state.seedOrigins.has(new URL(from).origin) ? state.start.headers : {};
    let [requests, bytes] = [0, 0];
    return async (wanting: PageRequest, signal: AbortSignal): Promise<Answer | null> => {
      const { method, kind } = wanting;
      const empty = prepared.get(kind);
      if (empty !== undefined) return empty;
      // Chromium names it `XHR`. A stream of events never ends.
      if (headerOf(wanting, 'accept') === 'text/event-stream') return refused('events');
      if (!requested.has(kind) || !/^https?:/i.test(wanting.url)) return null;
      if (method === 'OPTIONS') {
        if (!isReading(headerOf(wanting, 'access-control-request-method'))) refuse('write');
        return preflight(wanting, from);
      }
      requests += 1;
      if (!isReading(method)) return refused('write');
      if (requests > most.requests || bytes > most.bytes) return refused('limit');
      const address = new URL(wanting.url);
      address.hash = '';
      const url = address.href;
      // The fetcher would refuse it as well, but only when its host has its turn.
      if (literalRefusal(address, { allowNear: nearOrigins.has(address.origin) }) !== null) return refused('private');
      if (!(await isAllowed(url, signal))) return refused('robots');
      const headers = { ...sentHeaders(wanting, from), ...(state.seedOrigins.has(address.origin) ? secrets : {}) };
      const response = await requestOnce(url, { method, headers }, signal);
      bytes += response.body.byteLength;
      if (response.error === 'address_refused') refuse('private');
      return response.error === null && response.status > 0 ? answerOf(response) : null;
    };
  };
}
