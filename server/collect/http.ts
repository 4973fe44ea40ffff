import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '../../contract/collect/schemas';
import type { Context } from '../context';
import { clientAddress } from '../http/address';
import { refuse } from './accept';
import type { AcceptResponse } from './accept';
import type { Collector } from './index';
import { openScript, openVitalsScript, scriptNames } from './script';
import type { Script } from './script';

/** Any page may send hits and read the response; cookies are neither requested nor read. */
const openToAll = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Adds `POST {prefix}/collect`, `GET {prefix}/t.js`, `GET {prefix}/t.more.js` and, for web vitals, `GET` and `POST {prefix}/collect?SITE`: the same path, so that proxies
 * which forward the first two also forward these. Hits are sent as text/plain, so that browsers need no preflight request and
 * `sendBeacon` works; JSON and all other content types are read the same way.
 */
export async function registerCollect(app: FastifyInstance, ctx: Context, collector: Collector, prefix: '' | '/_a', scripts?: string): Promise<void> {
  if (!app.hasDecorator('arrivals')) app.decorate('arrivals', collector);

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: limits.bodyBytes }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { statusCode } = error as { statusCode?: number };
      if (statusCode === 413) {
        collector.countRefusal('', 'too_large', '');
        return send(reply, refuse('too_large'));
      }
      if (statusCode !== undefined && statusCode < 500) return send(reply, refuse('malformed'));
      ctx.log.error('a hit could not be kept', { requestId: request.id, error });
      return reply
        .code(503)
        .headers({ ...openToAll, 'retry-after': '10' })
        .send({ error: 'unavailable', code: 'journal_full' });
    });

    scope.post(`${prefix}/collect`, { bodyLimit: limits.bodyBytes, compress: false }, async (request, reply) => {
      const result = await (hasQuery(request) ? collector.acceptVitals : collector.accept)({
        body: typeof request.body === 'string' ? request.body : '',
        address: clientAddress(request),
        userAgent: request.headers['user-agent'] ?? '',
        headers: request.headers,
      });
      return send(reply, result);
    });

    scope.options(`${prefix}/collect`, (_request, reply) =>
      reply
        .code(204)
        .headers({ ...openToAll, 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type', 'access-control-max-age': '86400' })
        .send(),
    );

    const vitals = openVitalsScript(scripts);
    scope.get(`${prefix}/collect`, { compress: false }, async (request, reply) => {
      const rate = await collector.vitalsRate(request.url.slice(request.url.indexOf('?') + 1), clientAddress(request));
      return sendScript(request, reply, rate === 0 ? null : await vitals(rate), '');
    });

    for (const name of scriptNames) {
      const script = openScript(name, scripts);
      scope.get<{ Querystring: { s?: string } }>(`${prefix}/${name}`, { compress: false }, async (request, reply) => {
        const found = await script();
        if (found !== null) collector.countScriptLoad(typeof request.query.s === 'string' ? request.query.s : undefined, request.headers.referer);
        return sendScript(request, reply, found, null);
      });
    }
  });
}

const hasQuery = (request: FastifyRequest): boolean => request.url.includes('?');

/** `without`: what to send if there is no script; null: that the tracker is not built. */
function sendScript(request: FastifyRequest, reply: FastifyReply, found: Script | null, without: string | null): FastifyReply {
  if (found === null && without === null) return reply.code(404).headers(openToAll).type('text/plain').send('The tracker has not been built: npm run build');
  void reply.headers({ ...openToAll, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }).type('text/javascript; charset=utf-8');
  if (found === null) return reply.send(without);
  void reply.header('etag', found.etag);
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === found.etag)) return reply.code(304).send();
  const encoding = encodingFor(request, found.bodies);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(found.bodies[encoding]);
}

/** Response to a sender whose body did not arrive in time; the tracker retries such hits. */
export const sendSlow = (reply: FastifyReply): FastifyReply =>
  reply
    .code(408)
    .headers({ ...openToAll, 'cache-control': 'no-store' })
    .send({ error: 'request_timeout', code: 'request_timeout' });

function send(reply: FastifyReply, { status, body, retryAfter }: AcceptResponse): FastifyReply {
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .headers({ ...openToAll, 'cache-control': 'no-store' })
    .send(body);
}

function encodingFor(request: FastifyRequest, bodies: { readonly gzip: Buffer | null; readonly br: Buffer | null }): 'br' | 'gzip' | 'identity' {
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  if (bodies.br !== null && accepted.includes('br')) return 'br';
  return bodies.gzip !== null && accepted.includes('gzip') ? 'gzip' : 'identity';
}
