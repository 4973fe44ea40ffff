import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Log } from '../log';
import { sendFailure } from './errors';
import { Failure } from './failure';

/**
 * Written by the console's build: the files that each route of the console needs, and the bytes of each file as sent with gzip. Routes as in the route object
 * (`/site/:siteId/als/trend`).
 */
const Manifest = z.object({ version: z.string(), patches: z.record(z.string(), z.array(z.string())), sizes: z.record(z.string(), z.int()) });
export type Manifest = z.infer<typeof Manifest>;

export const readManifest = (text: string): Manifest => Manifest.parse(JSON.parse(text));

/** Limits of the console's requests: length of the URL, and number of paths. */
const longestUrl = 7680;
const mostPaths = 1000;

/** The response to the console. `patches` has an entry per requested path, `sizes` one per file; `current` is false if another build is served now. */
export type ManifestResponse = {
  readonly version: string;
  readonly current: boolean;
  readonly patches: Readonly<Record<string, readonly string[]>>;
  readonly sizes: Readonly<Record<string, number>>;
};

export function patchesFor(manifest: Manifest, paths: readonly string[]): Record<string, readonly string[]> {
  const routes = Object.entries(manifest.patches).map(([route, assets]) => ({ segments: segmentsOf(route), assets }));
  // A literal route (`/home/create`) takes precedence over one with parameters.
  routes.sort((a, b) => a.segments.filter((s) => s.startsWith(':')).length - b.segments.filter((s) => s.startsWith(':')).length);
  const found: Record<string, readonly string[]> = {};
  for (const path of paths) {
    const segments = segmentsOf(path.split(/[?#]/, 1)[0] ?? '');
    const route = routes.find(
      (r) => r.segments.length === segments.length && r.segments.every((s, i) => s === segments[i] || (s.startsWith(':') && segments[i] !== '')),
    );
    if (route) found[path] = route.assets;
  }
  return found;
}

const segmentsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/');

/** Discovery of route parts: `GET /__manifest?p=/home&p=/site/x/als/trend&version=abc`. Not a call of the product API, so its response has no envelope. */
export function sendManifest(request: FastifyRequest, reply: FastifyReply, manifest: Manifest | null, log: Log): FastifyReply {
  if (request.url.length > longestUrl) return sendFailure(new Failure('uri_too_long'), request, reply, log);
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  const paths = query.getAll('p');
  const version = query.get('version');
  if (version === null || paths.length === 0 || paths.length > mostPaths || paths.some((p) => !p.startsWith('/')))
    return sendFailure(new Failure('bad_request'), request, reply, log);
  if (!manifest) return sendFailure(new Failure('unavailable'), request, reply, log);
  const patches = patchesFor(manifest, paths);
  const sizes = Object.fromEntries([...new Set(Object.values(patches).flat())].map((file) => [file, manifest.sizes[file] ?? 0]));
  const result: ManifestResponse = { version: manifest.version, current: version === manifest.version, patches, sizes };
  return reply.header('cache-control', result.current ? 'public, max-age=300' : 'no-store').send(result);
}
