import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Kinds of files that the console's build writes; anything else is not served. */
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.json': 'application/json; charset=utf-8',
};

/** The request's path as a relative file name without `..`, dot files, backslashes and NUL; null where it cannot be one. */
export function fileName(request: FastifyRequest): string | null {
  try {
    const name = decodeURIComponent(request.url.split('?', 1)[0] ?? '').replace(/^\/+/, '');
    // oxlint-disable-next-line no-control-regex
    return name === '' || /[\u0000\\]/.test(name) || name.split('/').some((part) => part.startsWith('.')) ? null : name;
  } catch {
    return null;
  }
}

/**
 * Sends a built file, or answers null where there is none. Small on purpose: built files have hashed names, so ranges and
 * dates are of no use. `maxAge` in seconds; immutable files are never asked about again.
 */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  dir: string,
  name: string,
  { maxAge, immutable }: { maxAge: number; immutable: boolean },
): FastifyReply | null {
  const type = types[path.extname(name).toLowerCase()];
  const file = path.join(dir, name);
  const stat = type === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (type === undefined || !stat?.isFile()) return null;
  const etag = `W/"${stat.size.toString(36)}-${Math.floor(stat.mtimeMs).toString(36)}"`;
  void reply
    .header('cache-control', `public, max-age=${maxAge}${immutable ? ', immutable' : ''}`)
    .header('cross-origin-resource-policy', 'same-origin')
    .header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(type).send(createReadStream(file));
}
