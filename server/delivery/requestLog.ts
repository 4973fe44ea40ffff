import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestKind } from '../../contract/publishing/preview';
import { claimedCrawler } from '../areas/countryBlock';
import { storeRequests } from '../areas/publishing';
import type { DeliveredRequest } from '../areas/publishing';
import { botSignals } from '../collect/classify';
import type { Context } from '../context';
import { clientAddress } from '../http/address';
import { openBatch } from '../kit/batch';
import type { Flush } from '../kit/flush';
import { readRequest } from './host';

export type RequestLog = Flush & { readonly add: (request: FastifyRequest, reply: FastifyReply) => void };

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
  const { add, isFull, ...flush } = openBatch<DeliveredRequest>(
    ctx,
    (requests) => storeRequests(ctx, requests),
    'Requests to delivered sites could not be logged',
  );

  return {
    add(request, reply) {
      const { path } = request.requested ?? readRequest(request);
      const kind = kindOf(path);
      if (request.deliveredSite === null || kind === null || request.method !== 'GET' || isFull()) return;
      const userAgent = request.headers['user-agent'] ?? '';
      const { score } = botSignals({
        userAgent,
        ip: clientAddress(request),
        headers: request.headers,
        webdriver: false,
      });
      add({
        siteId: request.deliveredSite.id,
        at: ctx.now(),
        kind,
        path: path.slice(0, longestPath),
        status: reply.statusCode,
        score,
        crawler: claimedCrawler(userAgent) ?? '',
        ms: Math.round(reply.elapsedTime),
        bytes: bytesOf(reply),
      });
    },
    ...flush,
  };
}
