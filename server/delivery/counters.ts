import type { FastifyRequest } from 'fastify';
import { verdictBounds } from '../../contract/analytics/terms';
import { normalizePath } from '../../contract/paths';
import { parseUrl } from '../../contract/parseUrl';
import { storeNotFound, storeRedirectHits } from '../areas/seo';
import type { NotFoundCount, RedirectCount } from '../areas/seo';
import type { IndexedSite } from '../areas/sites';
import { botSignals } from '../collect/classify';
import type { Context } from '../context';
import { clientAddress } from '../http/address';
import { startFlush } from '../kit/flush';
import type { Flush } from '../kit/flush';
import { dayAt } from '../zone';

export type Counters = Flush & {
  /** A redirect of the release was used. */
  readonly redirected: (site: Pick<IndexedSite, 'id' | 'timeZone'>, from: string) => void;
  /** Nothing was found at a path. */
  readonly notFound: (siteId: string, path: string, request: FastifyRequest) => void;
};

/** Redirects, and paths, that are not stored yet; beyond it they are not counted, so that a scanner fills no memory. */
const mostUnstored = 5000;
/** Of them one site, so that a scanner of one site does not end the counting of others. */
const mostOfSite = 1000;
const longestPath = 300;
const longestReferrer = 500;
/** Pages with a link to one path that are told apart between two times of storing. */
const mostReferrers = 20;

/** The page that a request came from, without its query, which may name a person. */
function referrerOf({ headers }: FastifyRequest): string {
  const { referer } = headers;
  const url = referer === undefined ? null : parseUrl(referer);
  if (url === null) return '';
  const { protocol, host, pathname } = url;
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${normalizePath(pathname)}`.slice(0, longestReferrer) : '';
}

type Counted = {
  readonly siteId: string;
  readonly path: string;
  people: number;
  bots: number;
  readonly firstAt: number;
  lastAt: number;
  readonly referrers: Map<string, number>;
};

/** The page that most came from. */
function bestReferrer({ siteId, path, people, bots, firstAt, lastAt, referrers }: Counted): NotFoundCount {
  const [referrer = '', referrerHits = 0] = [...referrers].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { siteId, path, people, bots, firstAt, lastAt, referrer, referrerHits };
}

type Counts<T> = {
  /** What is counted under a name, which begins if there is a place for it; null: there is none. */
  readonly at: (siteId: string, name: string, begin: () => T) => T | null;
  /** Everything that was counted since the last time. */
  readonly clear: () => T[];
};

export function createCounts<T>(): Counts<T> {
  let bySite = new Map<string, Map<string, T>>();
  let size = 0;
  return {
    at(siteId, name, begin) {
      const ofSite = bySite.get(siteId) ?? new Map<string, T>();
      const known = ofSite.get(name);
      if (known !== undefined) return known;
      if (size >= mostUnstored || ofSite.size >= mostOfSite) return null;
      const begun = begin();
      size += 1;
      bySite.set(siteId, ofSite.set(name, begun));
      return begun;
    },
    clear() {
      const all = [...bySite.values()].flatMap((ofSite) => [...ofSite.values()]);
      bySite = new Map();
      size = 0;
      return all;
    },
  };
}

/** Counts what happens on delivered sites in memory and stores it in batches, so that no visitor waits for it. */
export function openCounters(ctx: Context): Counters {
  const redirects = createCounts<{ hits: number } & Omit<RedirectCount, 'hits'>>();
  const paths = createCounts<Counted>();

  async function store(): Promise<void> {
    const [hits, missing] = [redirects.clear(), paths.clear().map(bestReferrer)];
    try {
      await storeRedirectHits(ctx, hits);
      await storeNotFound(ctx, missing);
    } catch (error) {
      ctx.log.warn('Counts of redirects and missing pages could not be stored', { redirects: hits.length, paths: missing.length, error });
    }
  }

  return {
    redirected({ id: siteId, timeZone }, from) {
      const day = dayAt(ctx.now(), timeZone);
      const counted = redirects.at(siteId, `${day} ${from}`, () => ({ siteId, from, day, hits: 0 }));
      if (counted) counted.hits += 1;
    },
    notFound(siteId, sent, request) {
      const path = normalizePath(sent);
      // Parts of pages, measuring and previews are no pages that somebody looks for.
      if (path.length > longestPath || path.startsWith('/_') || request.method !== 'GET') return;
      const counted = paths.at(siteId, path, () => ({ siteId, path, people: 0, bots: 0, firstAt: ctx.now(), lastAt: 0, referrers: new Map() }));
      if (counted === null) return;
      counted.lastAt = ctx.now();
      const signals = { userAgent: request.headers['user-agent'] ?? '', ip: clientAddress(request), headers: request.headers, webdriver: false };
      if (botSignals(signals).score >= verdictBounds.suspected) {
        counted.bots += 1;
        return;
      }
      counted.people += 1;
      const referrer = referrerOf(request);
      if (referrer !== '' && (counted.referrers.has(referrer) || counted.referrers.size < mostReferrers))
        counted.referrers.set(referrer, (counted.referrers.get(referrer) ?? 0) + 1);
    },
    ...startFlush(store),
  };
}
