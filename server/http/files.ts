import { statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** File types written by the console's build; others are not served. */
const servedKinds: ReadonlySet<string> = new Set(['.js', '.css', '.svg', '.png', '.jpg', '.webp', '.ico', '.woff2', '.txt', '.webmanifest', '.json']);

/** The request's path as a relative file name without `..`, dot files, backslashes and NUL; null if it is not a valid one. */
export function fileName(request: FastifyRequest): string | null {
  try {
    const name = decodeURIComponent(request.url.split('?', 1)[0] ?? '').replace(/^\/+/, '');
    // oxlint-disable-next-line no-control-regex
    return name === '' || /[\u0000\\]/.test(name) || name.split('/').some((part) => part.startsWith('.')) ? null : name;
  } catch {
    return null;
  }
}

/** How long browsers cache a file, in seconds; an immutable file is never requested again. */
type Caching = { readonly maxAge: number; readonly immutable: boolean };

/** Sends a file of the build, precompressed by the build (`.br` and `.gz` next to it); null if the file does not exist. */
export function sendBuiltFile(reply: FastifyReply, dir: string, name: string, { maxAge, immutable }: Caching): FastifyReply | null {
  const isServed = servedKinds.has(path.extname(name).toLowerCase()) && statSync(path.join(dir, name), { throwIfNoEntry: false })?.isFile() === true;
  if (!isServed) return null;
  return reply
    .header('cross-origin-resource-policy', 'same-origin')
    .header('vary', 'accept-encoding')
    .sendFile(name, dir, { maxAge: maxAge * 1000, immutable });
}
