import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestKind } from '../../contract/publishing/preview';
import { storeRequests } from '../areas/publishing';
import type { DeliveredRequest } from '../areas/publishing';
import { botSignals } from '../collect/classify';
import type { Context } from '../context';
import { clientAddress } from '../http/address';
import { startFlush } from '../kit/flush';
import type { Flush } from '../kit/flush';

export type RequestLog = Flush & { readonly add: (request: FastifyRequest, reply: FastifyReply) => void };

/** Requests that are not stored yet; beyond it they are not logged, so that a flood or a store that is away fills no memory. */
const mostUnstored = 20_000;
const longestPath = 300;

/** What a request is for; null: a part of a page, measuring or a preview, which are not logged. */
function kindOf(path: string): RequestKind | null {
  if (path.startsWith('/_') || path === '/favicon.ico' || path.startsWith('/.well-known/')) return null;
  if (path.endsWith('/feed.xml')) return 'feed';
  return path === '/robots.txt' || /^\/sitemap[\w-]*\.xml$/.test(path) ? 'search' : 'page';
}

const bytesOf = (reply: FastifyReply): number => Number(reply.getHeader('content-length') ?? 0) || 0;

/** Keeps requests of delivered sites, so that a site has numbers even where scripts are blocked. */
export function openRequestLog(ctx: Context): RequestLog {
  let waiting: DeliveredRequest[] = [];
  /** Those that wait, and those that are being stored. */
  let unstored = 0;

  async function store(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await storeRequests(ctx, batch);
    } catch (error) {
      ctx.log.warn('Requests to delivered sites could not be logged', { requests: batch.length, error });
    }
    unstored -= batch.length;
  }

  return {
    add(request, reply) {
      const path = request.url.split('?', 1)[0] ?? '/';
      const kind = kindOf(path);
      if (request.deliveredSite === null || kind === null || request.method !== 'GET' || unstored >= mostUnstored) return;
      const { score } = botSignals({
        userAgent: request.headers['user-agent'] ?? '',
        ip: clientAddress(request),
        headers: request.headers,
        webdriver: false,
      });
      unstored += 1;
      waiting.push({
        siteId: request.deliveredSite.id,
        at: ctx.now(),
        kind,
        path: path.slice(0, longestPath),
        status: reply.statusCode,
        score,
        ms: Math.round(reply.elapsedTime),
        bytes: bytesOf(reply),
      });
    },
    ...startFlush(store),
  };
}
