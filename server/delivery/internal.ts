import type { FastifyInstance } from 'fastify';
import { createTlsAsk, probeAnswer, probePath } from '../areas/hostnames';
import type { SiteIndex } from '../areas/sites';
import type { Context } from '../context';
import { readHost } from './host';

/** What is answered for hosts that are not served yet: the request that proves that traffic arrives, and Caddy's question. */
export function registerInternal(app: FastifyInstance, ctx: Context, sites: SiteIndex): void {
  const mayIssue = createTlsAsk(ctx, sites);
  app.addHook('onRequest', async (request, reply) => {
    const [path = '', query = ''] = request.url.split('?', 2);
    if (path === '/internal/tls/ask') return mayIssue(request, reply, new URLSearchParams(query));
    const token = path.startsWith(probePath) ? path.slice(probePath.length) : '';
    const host = readHost(request.hostname);
    if (host === null || !/^[0-9a-f]{32}$/.test(token)) return undefined;
    return reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-sitecheck-scheme': request.protocol })
      .send(`${probeAnswer(ctx.secrets, host, token)}\n`);
  });
}
