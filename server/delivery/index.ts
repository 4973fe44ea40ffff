import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openSiteIndex } from '../areas/sites';
import type { IndexedSite } from '../areas/sites';
import { sendSlow, registerCollect } from '../collect';
import type { Collector } from '../collect';
import type { Context } from '../context';
import { trustFunction } from '../http/address';
import { headerLimits, limitArrival } from '../http/slowRequests';
import type { ArrivalLimits } from '../http/slowRequests';
import { registerCountryRules } from './country';
import { registerGate } from './gate';
import { readRequest } from './host';
import type { Requested } from './host';
import { registerInternal } from './internal';
import { neutralPage } from './pages';
import { deliver } from './pipeline';
import { registerResources } from './resources';
import { hstsOf } from './steps/host';
import { pageResponse, plainResponse } from './response';
import { openRequestLog } from './requestLog';
import { openServices } from './services';
import { arrivalOf } from './step';
import { registerDeliveredSupport } from './support/places';
import { verification } from './verification';
import type { DeliveryResponse } from './response';

export { pushJob } from './pushJob';
export { registerSupportElsewhere } from './support/places';

declare module 'fastify' {
  interface FastifyRequest {
    /** The site of the requested host; null on the console's listener and for unknown hosts. */
    deliveredSite: IndexedSite | null;
    /** What the request names; null on the console's listener and before the first hook. */
    requested: Requested | null;
  }
}

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** Whether a browser has the content with this validator. */
const isKnown = (condition: string | undefined, etag: string | undefined): boolean =>
  condition !== undefined && etag !== undefined && (condition === etag || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

const send = (request: FastifyRequest, reply: FastifyReply, { status, headers, body }: DeliveryResponse): FastifyReply => {
  void reply.headers(headers);
  if (status === 200 && isKnown(request.headers['if-none-match'], headers.etag)) return reply.code(304).removeHeader('content-type').send();
  if (request.method !== 'HEAD') return reply.code(status).send(body);
  if (body instanceof Readable) body.destroy();
  else void reply.header('content-length', Buffer.byteLength(body));
  return reply.code(status).send('');
};

/**
 * The listener that delivers sites by host name: no console routes and no console cookies. A host without a site gets a neutral page, never a default site. It
 * does not listen yet.
 */
export async function createDelivery(ctx: Context, collector: Collector, arrival?: ArrivalLimits): Promise<FastifyInstance> {
  const sites = await openSiteIndex(ctx);
  const services = openServices(ctx);
  const requests = openRequestLog(ctx);
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustFunction(ctx.config.trustedProxies),
    forceCloseConnections: true,
    return503OnClosing: true,
    http: headerLimits(arrival),
    frameworkErrors: (error, request, reply) => {
      ctx.log.debug('a malformed request', { requestId: request.id, error });
      void reply.headers(commonHeaders);
      void send(request, reply, pageResponse(404, neutralPage(404), 'no-store'));
    },
  });

  limitArrival(app, (_request, reply) => sendSlow(reply), arrival);
  app.decorateRequest('deliveredSite', null);
  app.decorateRequest('requested', null);
  registerInternal(app, ctx, sites);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(commonHeaders);
    // `hostname` uses X-Forwarded-Host only behind a trusted proxy.
    const requested = readRequest(request);
    const site = requested.host === null ? null : sites.servedAt(requested.host);
    request.requested = requested;
    request.deliveredSite = site;
    if (site === null) return send(request, reply, pageResponse(404, neutralPage(404), 'no-store'));
    const hsts = hstsOf(site, requested.host ?? '', request);
    if (hsts !== null) void reply.header('strict-transport-security', hsts);
    const proof = await verification(arrivalOf(ctx, site, request), services);
    return proof ? send(request, reply, proof) : undefined;
  });
  app.addHook('onResponse', async (request, reply) => {
    requests.add(request, reply);
    ctx.log.debug('delivered', {
      requestId: request.id,
      host: request.deliveredSite?.servedHost,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  app.addHook('onClose', async () => {
    sites.close();
    await requests.close();
    await services.close();
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // Fastify refuses bodies that it cannot read with a status of its own.
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      ctx.log.debug('a malformed request', { requestId: request.id, error });
      return send(request, reply, plainResponse(error.statusCode, ''));
    }
    ctx.log.error('a page could not be delivered', { requestId: request.id, error });
    return send(request, reply, pageResponse(500, neutralPage(500), 'no-store'));
  });

  registerCountryRules(app, ctx, services);
  registerGate(app, ctx, services.filings);
  await registerCollect(app, ctx, collector, '/_a');
  registerResources(app, ctx, services);
  await registerDeliveredSupport(app, ctx, services);
  app.setNotFoundHandler(async (request, reply) => {
    const site = request.deliveredSite;
    if (site === null) return send(request, reply, pageResponse(404, neutralPage(404), 'no-store'));
    const found = services.filings.of(site.id, request.requested?.host ?? null);
    const filings = found instanceof Promise ? await found : found;
    return send(request, reply, await deliver({ ...arrivalOf(ctx, site, request, filings), services }));
  });
  return app;
}
