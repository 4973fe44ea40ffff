import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context';
import { sendFailure } from '../../http/errors';
import { Failure, fail } from '../../http/failure';
import { openScript } from '../../collect';
import type { IndexedSite } from '../../areas/sites';
import { visitorSizes } from '../../../contract/support/visitors';
import { createVisitorCalls } from './calls';
import type { VisitorServices } from './calls';
import { mostFileBytes } from './fileAddress';
import { Challenge, createVisitorLimits } from './limits';
import { openVisitorSettings } from './settings';
import type { VisitorSettings } from './settings';
import { openVisitorStreams } from './streams';

/** Where the calls of visitors are answered: on the host of a delivered site, or for sites elsewhere on the origin of the collector. */
export type VisitorPlace = {
  /** The site of a request; null: none that visitors may reach here. */
  readonly siteOf: (request: FastifyRequest) => Promise<IndexedSite | null> | IndexedSite | null;
  /** Whether pages of this origin may call and read the responses. */
  readonly admits: (request: FastifyRequest, site: IndexedSite, origin: string, settings: VisitorSettings) => Promise<boolean> | boolean;
  /** Whether calls need an origin, which browsers send to other origins than that of the page. */
  readonly isElsewhere: boolean;
  readonly pageOf: VisitorServices['pageOf'];
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The site whose visitor calls; null elsewhere. */
    supportSite: IndexedSite | null;
  }
}

/** The folder of the widget and its calls. */
export const supportRoot = '/_cs';
const scriptPath = `${supportRoot}/w.js`;
const preflightFor = 600;

const originOf = ({ headers }: FastifyRequest): string | undefined => headers.origin;

/** Lets a page of another origin read the response. */
const allowOrigin = (reply: FastifyReply, origin: string): FastifyReply =>
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after, x-request-id',
    'cross-origin-resource-policy': 'cross-origin',
  });

/** The script is public, as the tracker is. */
function registerScript(scope: FastifyInstance, folder?: string): void {
  const script = openScript('w.js', folder);
  scope.get(scriptPath, { compress: false }, async (request, reply) => {
    const found = await script();
    void reply.headers({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
      vary: 'accept-encoding',
    });
    if (found === null) return reply.code(404).type('text/plain').send('The widget has not been built: npm run build');
    void reply.header('etag', found.etag).type('text/javascript; charset=utf-8');
    if (request.headers['if-none-match']?.includes(found.etag)) return reply.code(304).send();
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = found.bodies.br && /\bbr\b/.test(accepted) ? 'br' : found.bodies.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null;
    if (encoding !== null) void reply.header('content-encoding', encoding);
    return reply.send(found.bodies[encoding ?? 'identity']);
  });
}

/** Bodies are JSON of bounded size, or the bytes of a file. */
function registerBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: visitorSizes.body }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new Failure('not_json'));
    }
  });
  scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: mostFileBytes }, (_request, body, done) => done(null, body));
}

/** Answers preflight requests of pages that are admitted. */
function registerPreflight(scope: FastifyInstance): void {
  scope.options(`${supportRoot}/*`, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type, x-visitor, x-challenge, last-event-id',
        'access-control-max-age': String(preflightFor),
      })
      .send(),
  );
}

/**
 * Adds the widget and the calls of visitors. Neither cookies nor sessions are read: a visitor is known by a token in a header, which no other page can send.
 * `scripts`: the folder of the built widget.
 */
export async function registerVisitorCalls(app: FastifyInstance, ctx: Context, place: VisitorPlace, scripts?: string): Promise<void> {
  const streams = openVisitorStreams(ctx);
  const settings = openVisitorSettings(ctx);
  app.addHook('onClose', () => {
    streams.close();
    settings.close();
  });
  app.decorateRequest('supportSite', null);
  app.decorateRequest('supportCall', null);
  await app.register(async (scope) => {
    registerBodies(scope);
    scope.setErrorHandler((error, request, reply) => {
      void reply.header('cache-control', 'no-store');
      if (!(error instanceof Challenge)) return sendFailure(error, request, reply, ctx.log);
      return reply.code(error.status).send({ code: error.code, task: error.task, bits: error.bits });
    });
    scope.addHook('onRequest', async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      if (path === scriptPath) return;
      void reply.headers({ 'cache-control': 'no-store', vary: 'origin' });
      const site = (await place.siteOf(request)) ?? fail('not_found');
      const origin = originOf(request);
      const isFile = path.startsWith(`${supportRoot}/files/`);
      if (origin === undefined ? place.isElsewhere && !isFile : !(await place.admits(request, site, origin, settings))) fail('bad_origin');
      if (origin !== undefined) void allowOrigin(reply, origin);
      else if (isFile) void reply.header('cross-origin-resource-policy', 'cross-origin');
      request.supportSite = site;
    });
    registerScript(scope, scripts);
    registerPreflight(scope);
    createVisitorCalls(scope, ctx, { streams, limits: createVisitorLimits(ctx), settings, pageOf: place.pageOf });
  });
}
