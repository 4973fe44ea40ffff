import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { safeRedirect } from '../../contract/redirect';
import type { Context } from '../context';
import type { Log } from '../log';
import { sendFailure } from './errors';
import { Failure } from './failure';
import { fileName, sendBuiltFile } from './files';
import { framePage, framePolicy } from './frame';
import { sendPage } from './headers';
import { sendManifest, readManifest } from './manifest';
import type { Manifest } from './manifest';
import { packageRoot } from './packageRoot';

/** Pages created by the build, each with its own scripts. */
type Shell = 'index' | 'sign' | 'open' | 'form';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sites that may embed the public form of a link in a frame; provided by the content tables area. */
    formEmbeds?: (token: string) => Promise<readonly string[]>;
    /** Where previews of sites come from: hosts that are only for delivered sites, on another origin than the console. Provided by the publishing area. */
    previewHosts?: string;
  }
}

/** The output of the console's build in `dist/console`, reloaded when a file changes. */
export type ConsoleFiles = {
  readonly dir: string;
  /** The HTML of a page with the placeholder `__NONCE__`; null if the console has not been built. */
  readonly shell: (name: Shell) => string | null;
  /** The id of the build, for `X-Build`; null if unknown. */
  readonly build: () => string | null;
  readonly manifest: () => Manifest | null;
};

/** `devtools`: whether the operator enables Redux DevTools in production; the page passes it to the console. */
export function openConsoleFiles(devtools: boolean, dir: string = path.join(packageRoot(), 'dist', 'console')): ConsoleFiles {
  const cached = <T>(name: string, parse: (text: string) => T): (() => T | null) => {
    let readMtime = 0;
    let lookedAt = 0;
    let value: T | null = null;
    return () => {
      // At most one stat per second, because every API response contains the build id.
      const now = Date.now();
      if (now - lookedAt < 1000) return value;
      lookedAt = now;
      const stat = statSync(path.join(dir, name), { throwIfNoEntry: false });
      if (!stat) value = null;
      else if (stat.mtimeMs !== readMtime || value === null) value = parse(readFileSync(path.join(dir, name), 'utf8'));
      readMtime = stat?.mtimeMs ?? 0;
      return value;
    };
  };
  const shell = (text: string): string => text.replaceAll('__DEVTOOLS__', devtools ? '1' : '0');
  const shells = { index: cached('index.html', shell), sign: cached('sign.html', shell), open: cached('open.html', shell), form: cached('form.html', shell) };
  return {
    dir,
    shell: (name) => shells[name](),
    build: cached('build.json', (text) => (JSON.parse(text) as { build: string }).build),
    manifest: cached('manifest.json', readManifest),
  };
}

const oneYear = 31_536_000;

/** Built files, the sign-in page, the pages of links to views and forms, the frame for foreign HTML and the list of parts to prefetch. */
export function registerConsole(app: FastifyInstance, ctx: Context, files: ConsoleFiles): void {
  const origin = new URL(ctx.config.publicUrl).origin;

  app.get('/assets/*', (request, reply) => {
    const name = fileName(request);
    // File names contain a hash of the content: a file of a previous release is a plain 404 (the console then reloads).
    return (
      (name === null ? null : sendBuiltFile(reply, files.dir, name, { maxAge: oneYear, immutable: true })) ??
      sendFailure(new Failure('not_found'), request, reply, ctx.log)
    );
  });

  app.get('/__manifest', (request, reply) => sendManifest(request, reply, files.manifest(), ctx.log));

  app.get('/frame', (_request, reply) =>
    reply.header('content-security-policy', framePolicy).header('cache-control', 'public, max-age=86400').type('text/html; charset=utf-8').send(framePage),
  );

  app.get('/sign', (request, reply) => reply.redirect(`/sign/${request.url.slice('/sign'.length)}`, 301));
  app.get<{ Querystring: { redirect?: unknown } }>('/sign/', async (request, reply) => {
    // If PostgreSQL is unavailable, the page is still served and shows the error after its own request.
    const session = await app.accessSource.session(request, reply, false).catch(() => null);
    if (session) return reply.header('cache-control', 'no-store').redirect(safeRedirect(request.query.redirect, origin), 302);
    return page(reply, files, 'sign');
  });
  // The page itself checks whether a setup is required, and shows a message if not.
  app.get('/sign/*', (_request, reply) => page(reply, files, 'sign'));
  // The URL is a secret: search engines must not index it, and linked pages must not receive it as referrer.
  app.get('/view/:token', (_request, reply) => page(reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer'), files, 'open'));
  app.get<{ Params: { token: string } }>('/form/:token', async (request, reply) => {
    // If PostgreSQL is unavailable, the page is still served, without permission to be framed, and shows the error after its own request.
    const { token } = request.params;
    const embeds = /^[\w-]{43}$/.test(token) ? await app.formEmbeds?.(token).catch(() => []) : [];
    return page(reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer'), files, 'form', embeds);
  });
}

/** Any other path: a static file of the build, or the console's page (its router decides which paths exist). */
export function serveConsole(request: FastifyRequest, reply: FastifyReply, files: ConsoleFiles, log: Log): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendFailure(new Failure('method_not_allowed'), request, reply.header('allow', 'GET, HEAD'), log);
  const name = fileName(request);
  // manifest.json and build.json are for this server only.
  const sent = name === null || name.endsWith('.json') ? null : sendBuiltFile(reply, files.dir, name, { maxAge: 3600, immutable: false });
  if (sent) return sent;
  if (!isNavigation(request)) return sendFailure(new Failure('not_found'), request, reply, log);
  return page(reply, files, 'index');
}

function isNavigation(request: FastifyRequest): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return mode === undefined ? (request.headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

const notBuilt =
  '<!doctype html><meta charset="utf-8"><title>Sitewright</title><p>控制台尚未构建，请运行 npm start。<p>The console has not been built. Run npm start.';

function page(reply: FastifyReply, files: ConsoleFiles, name: Shell, frames: readonly string[] = []): FastifyReply {
  const html = files.shell(name);
  if (html === null) return sendPage(reply, notBuilt, 503);
  // One page serves the screens of all sites, so its policy names the hosts of all; no other page shows previews.
  const { previewHosts } = reply.server;
  return sendPage(reply, html, 200, frames, name === 'index' && previewHosts !== undefined ? [previewHosts] : []);
}
