import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerAreas } from '../areas';
import type { Area } from '../areas/area';
import type { Context } from '../context';
import { trustFunction } from './address';
import { openConsoleFiles, registerConsole, serveConsole } from './console';
import type { ConsoleFiles } from './console';
import { registerDocs } from './docs';
import { sendFailure } from './errors';
import { Failure } from './failure';
import { setCommonHeaders } from './headers';
import { openRoutes } from './open';
import { isApi, methodsOf } from './routeTable';
import type { RouteTable } from './routeTable';
import { headerLimits, limitArrival } from './slowRequests';
import type { ArrivalLimits } from './slowRequests';
import { watchUse } from './use';

export type AppOptions = {
  /** The output folder of the console's build; overridden in tests. */
  readonly consoleDir?: string;
  /** The areas of the product; tests may add their own. */
  readonly areas?: readonly Area[];
  /** Limits for slow requests. */
  readonly arrival?: ArrivalLimits;
};

/**
 * The console's listener: API, pages, built files. It does not listen yet. Other parts may register more routes before `listen()`; routes outside the contract
 * must be listed in `open.ts`.
 */
export async function createApp(ctx: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const secure = ctx.config.publicUrl.startsWith('https:');
  const table: RouteTable = [];
  const files: ConsoleFiles = openConsoleFiles(ctx.config.devtools, options.consoleDir);
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustFunction(ctx.config.trustedProxies),
    routerOptions: { maxParamLength: 200 },
    // Queries of content tables are in the URL: a filter of 20 000 characters, each up to nine bytes when encoded.
    http: { maxHeaderSize: 192 * 1024, ...headerLimits(options.arrival) },
    // Long-lived streams must not keep a stopping process alive.
    forceCloseConnections: true,
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      setCommonHeaders(reply, secure);
      sendFailure(error, request, reply, ctx.log);
    },
  });

  app.decorate('routeTable', table);
  app.decorateRequest('session', null);
  app.decorateRequest('site', null);
  app.decorateRequest('visitedSite', null);
  // Only JSON: a text/plain body would let another origin write without a preflight request.
  app.removeContentTypeParser('text/plain');
  // Chunks of uploads are passed on as they arrive.
  app.addContentTypeParser('application/offset+octet-stream', (_request, payload, done) => done(null, payload));

  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.endpoint === undefined && openRoutes[url] === undefined)
      throw new Error(`${String(method)} ${url} is neither an endpoint of the contract nor listed in server/http/open.ts`);
    table.push({ url, methods: [method].flat(), endpoint: config?.endpoint ?? null });
  });
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (isApi(request.url)) {
      const build = files.build();
      if (build !== null) void reply.header('x-build', build);
    }
  });
  app.addHook('onSend', async (request, reply) => {
    // Depends on the configuration, not on headers that a proxy may omit; over plain http browsers ignore HSTS anyway.
    setCommonHeaders(reply, secure);
    // Responses are personal and must not be cached.
    if (isApi(request.url) && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    ctx.log.debug('request', {
      requestId: request.id,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      userId: request.session?.userId,
    });
  });
  limitArrival(app, (request, reply) => sendFailure(new Failure('request_timeout'), request, reply, ctx.log), options.arrival);
  watchUse(app, ctx);
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, ctx.log));

  await app.register(cookie);
  await app.register(rateLimit, {
    global: false,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false, 'retry-after': true },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, { ttl }) => new Failure('too_many_requests', { retryAfter: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
  await app.register(compress, { encodings: ['br', 'gzip', 'identity'], threshold: 1024 });
  await registerAreas(app, ctx, options.areas);
  registerDocs(app, table);
  // Only provides `reply.sendFile`; the console's routes decide which paths are files.
  await app.register(fastifyStatic, { root: files.dir, serve: false, preCompressed: true });
  registerConsole(app, ctx, files);

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const allowed = methodsOf(table, path);
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      void reply.header('allow', allowed.join(', '));
      return sendFailure(new Failure('method_not_allowed'), request, reply, ctx.log);
    }
    if (isApi(path)) return sendFailure(new Failure('not_found'), request, reply, ctx.log);
    return serveConsole(request, reply, files, ctx.log);
  });
  return app;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';
