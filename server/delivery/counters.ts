import type { FastifyRequest } from 'fastify';
import { normalizePath } from '../../contract/paths';
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

/** Redirects and paths that are not stored yet; beyond it they are not counted, so that a scanner fills no memory. */
const mostUnstored = 5000;
const longestPath = 300;
const longestReferrer = 500;
/** As in reports: below is a person, from here on it may be a program. */
const suspected = 50;
/** Pages with a link to one path that are told apart between two times of storing. */
const mostReferrers = 20;

/** The page that a request came from, without its query, which may name a person. */
function referrerOf({ headers }: FastifyRequest): string {
  const { referer } = headers;
  if (referer === undefined || !URL.canParse(referer)) return '';
  const { protocol, host, pathname } = new URL(referer);
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

/** Counts what happens on delivered sites in memory and stores it in batches, so that no visitor waits for it. */
export function openCounters(ctx: Context): Counters {
  let redirects = new Map<string, RedirectCount>();
  let paths = new Map<string, Counted>();

  async function store(): Promise<void> {
    const [hits, missing] = [[...redirects.values()], [...paths.values()].map(bestReferrer)];
    redirects = new Map();
    paths = new Map();
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
      const key = JSON.stringify([siteId, day, from]);
      const known = redirects.get(key);
      if (known === undefined && redirects.size >= mostUnstored) return;
      redirects.set(key, { siteId, from, day, hits: (known?.hits ?? 0) + 1 });
    },
    notFound(siteId, sent, request) {
      const path = normalizePath(sent);
      // Parts of pages, measuring and previews are no pages that somebody looks for.
      if (path.length > longestPath || path.startsWith('/_') || request.method !== 'GET') return;
      const key = `${siteId} ${path}`;
      const known = paths.get(key);
      if (known === undefined && paths.size >= mostUnstored) return;
      const counted: Counted = known ?? { siteId, path, people: 0, bots: 0, firstAt: ctx.now(), lastAt: 0, referrers: new Map() };
      paths.set(key, counted);
      counted.lastAt = ctx.now();
      const signals = { userAgent: request.headers['user-agent'] ?? '', ip: clientAddress(request), headers: request.headers, webdriver: false };
      if (botSignals(signals).score >= suspected) {
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
