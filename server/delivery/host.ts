import type { FastifyRequest } from 'fastify';

/** What a request names. `host`: normalized; null if it is not a host name. Path and query as sent, the query without its question mark. */
export type Requested = { readonly host: string | null; readonly path: string; readonly query: string };

/**
 * Normalizes a `Host` header for lookup: lower case, without port and trailing dot. `null` if it is not a host name (letters, digits and hyphens in labels of
 * at most 63, at most 253 in total), so that no other text reaches a cache key or a log.
 */
export const readHost = (header: string | undefined): string | null => {
  if (header === undefined || header.length > 260) return null;
  const lower = header.toLowerCase();
  const host = /[.\d]$/.test(lower) ? lower.replace(/:\d{1,5}$/, '').replace(/\.$/, '') : lower;
  return host.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host) ? host : null;
};

/** A client may send a whole address (RFC 9112, 3.2.2). Paths begin with a slash, so that a redirect cannot lead to another host. */
const wholeAddress = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?]*)?(\/[^?]*)?(?:\?(.*))?$/is;

export function readRequest({ hostname, url }: Pick<FastifyRequest, 'hostname' | 'url'>): Requested {
  const host = readHost(hostname);
  if (!url.startsWith('/')) {
    const [, path = '/', query = ''] = wholeAddress.exec(url) ?? [];
    return { host, path, query };
  }
  const mark = url.indexOf('?');
  return mark < 0 ? { host, path: url, query: '' } : { host, path: url.slice(0, mark), query: url.slice(mark + 1) };
}
