import type { FastifyInstance } from 'fastify';
import { acmeAccount, createTlsAsk, probeAnswer, probePath } from '../areas/hostnames';
import type { SiteIndex } from '../areas/sites';
import type { Context } from '../context';
import { readHost } from './host';

/** RFC 8555, 8.3. Whoever controls a name decides where it leads, so any token is answered. */
const challengePath = '/.well-known/acme-challenge/';

/** What is answered for hosts that are not served yet: the request that proves that traffic arrives, challenges of the certificate authority, and Caddy's question. */
export function registerInternal(app: FastifyInstance, ctx: Context, sites: SiteIndex): void {
  const mayIssue = createTlsAsk(ctx, sites);
  const thumbprint = ctx.config.tlsMode === 'acme' ? acmeAccount(ctx.secrets, ctx.config.acmeDirectory).thumbprint : null;
  app.addHook('onRequest', async (request, reply) => {
    const [path = '', query = ''] = request.url.split('?', 2);
    const challenge = thumbprint === null || !path.startsWith(challengePath) ? '' : path.slice(challengePath.length);
    if (/^[\w-]{16,200}$/.test(challenge))
      return reply.headers({ 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }).send(`${challenge}.${thumbprint}`);
    if (path === '/internal/tls/ask') return mayIssue(request, reply, new URLSearchParams(query));
    const token = path.startsWith(probePath) ? path.slice(probePath.length) : '';
    const host = /^[0-9a-f]{32}$/.test(token) ? readHost(request.hostname) : null;
    if (host === null) return undefined;
    return reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-sitecheck-scheme': request.protocol })
      .send(`${probeAnswer(ctx.secrets, host, token)}\n`);
  });
}
