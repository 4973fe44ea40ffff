import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { safeRedirect } from '../../contract/redirect';
import type { Context } from '../context';
import type { Log } from '../log';
import { answerFailure } from './errors';
import { Failure } from './failure';
import { framePage, framePolicy } from './frame';
import { sendPage } from './headers';
import { answerManifest, readManifest } from './manifest';
import type { Manifest } from './manifest';
import { packageRoot } from './packageRoot';

/** What the console's build has left in `dist/console`, read again when a file changes. */
export type ConsoleFiles = {
  readonly dir: string;
  /** The html of a shell with `__NONCE__` still in it; null where the console has not been built. */
  readonly shell: (name: 'index' | 'sign') => string | null;
  /** The id of the build, for `X-Build`; null where unknown. */
  readonly build: () => string | null;
  readonly manifest: () => Manifest | null;
};

export function openConsoleFiles(dir: string = path.join(packageRoot(), 'dist', 'console')): ConsoleFiles {
  const cached = <T>(name: string, parse: (text: string) => T): (() => T | null) => {
    let seen = 0;
    let lookedAt = 0;
    let value: T | null = null;
    return () => {
      // At most one stat a second: every answer of the API asks for the build.
      const now = Date.now();
      if (now - lookedAt < 1000) return value;
      lookedAt = now;
      const stat = statSync(path.join(dir, name), { throwIfNoEntry: false });
      if (!stat) value = null;
      else if (stat.mtimeMs !== seen || value === null) value = parse(readFileSync(path.join(dir, name), 'utf8'));
      seen = stat?.mtimeMs ?? 0;
      return value;
    };
  };
  const shells = { index: cached('index.html', String), sign: cached('sign.html', String) };
  return {
    dir,
    shell: (name) => shells[name](),
    build: cached('build.json', (text) => String((JSON.parse(text) as { build?: unknown }).build ?? '')),
    manifest: cached('manifest.json', readManifest),
  };
}

const oneYearMs = 31_536_000_000;

/** Built files, the sign page, the frame for foreign HTML and the list of parts to fetch ahead. */
export async function registerConsole(app: FastifyInstance, ctx: Context, files: ConsoleFiles): Promise<void> {
  const origin = new URL(ctx.config.publicUrl).origin;
  await app.register(fastifyStatic, { root: files.dir, serve: false, logLevel: 'silent' });

  app.get('/assets/*', (request, reply) => {
    const name = decoded(request);
    // Names hold a hash of the content: a file of a release that is gone is a plain 404 (the console then reloads).
    if (name === null || !isFile(files.dir, name)) return answerFailure(new Failure('not_found'), request, reply, ctx.log);
    return reply.header('cross-origin-resource-policy', 'same-origin').sendFile(name, { immutable: true, maxAge: oneYearMs });
  });

  app.get('/__manifest', (request, reply) => answerManifest(request, reply, files.manifest(), ctx.log));

  app.get('/frame', (_request, reply) => reply.header('content-security-policy', framePolicy).header('cache-control', 'public, max-age=86400').type('text/html; charset=utf-8').send(framePage));

  app.get('/sign', (request, reply) => reply.redirect(`/sign/${request.url.slice('/sign'.length)}`, 301));
  app.get<{ Querystring: { redirect?: unknown } }>('/sign/', async (request, reply) => {
    const session = await app.accessSource.session(request, false);
    if (session) return reply.header('cache-control', 'no-store').redirect(safeRedirect(request.query.redirect, origin), 302);
    return page(reply, files, 'sign');
  });
  // The page itself asks whether there is anything to set up, and says so where there is not.
  app.get('/sign/*', (_request, reply) => page(reply, files, 'sign'));
}

/** Any other address: a static file of the build, or the console's shell (its router knows which addresses exist). */
export function serveConsole(request: FastifyRequest, reply: FastifyReply, files: ConsoleFiles, log: Log): FastifyReply {
  const name = decoded(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return answerFailure(new Failure('method_not_allowed'), request, reply.header('allow', 'GET, HEAD'), log);
  if (name !== null && /\.(?!html$|json$|map$)[a-z0-9]+$/.test(name) && isFile(files.dir, name)) return reply.header('cross-origin-resource-policy', 'same-origin').sendFile(name, { maxAge: 3_600_000 });
  if (!isNavigation(request)) return answerFailure(new Failure('not_found'), request, reply, log);
  return page(reply, files, 'index');
}

function isNavigation(request: FastifyRequest): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return mode === undefined ? (request.headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

/** The address as a path below the build's folder; null where it cannot be one. */
function decoded(request: FastifyRequest): string | null {
  try {
    const name = decodeURIComponent(request.url.split('?', 1)[0] ?? '').replace(/^\/+/, '');
    // oxlint-disable-next-line no-control-regex
    return name === '' || /[\u0000\\]/.test(name) || name.split('/').some((part) => part === '..' || part.startsWith('.')) ? null : name;
  } catch {
    return null;
  }
}

const isFile = (dir: string, name: string): boolean => existsSync(dir) && (statSync(path.join(dir, name), { throwIfNoEntry: false })?.isFile() ?? false);

const notBuilt = '<!doctype html><meta charset="utf-8"><title>Sitewright</title><p>控制台尚未构建，请运行 npm start。<p>The console has not been built. Run npm start.';

function page(reply: FastifyReply, files: ConsoleFiles, name: 'index' | 'sign'): FastifyReply {
  const html = files.shell(name);
  return html === null ? sendPage(reply, notBuilt, 503) : sendPage(reply, html);
}
