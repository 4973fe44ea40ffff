import type { FastifyReply } from 'fastify';
import { fail } from './failure';

/** Headers of a download that browsers never open in place. Non-ASCII names are encoded as in RFC 5987. */
export function asDownload(reply: FastifyReply, name: string, type: string): FastifyReply {
  const ascii = name.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '_')).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store');
}

/**
 * Slots for files that one process sends or receives concurrently: each holds a read connection, or memory, for as long as its client takes. At most `all` in
 * total and `each` per `key`, so that a slow client of one resource does not block others. A slot is released when the client has received everything or
 * disconnects, which the signal reports. Throws `unavailable` if none is free.
 */
export function downloadPlaces({ all, each = all }: { readonly all: number; readonly each?: number }): (reply: FastifyReply, key?: string) => AbortSignal {
  const active = new Map<AbortController, string>();
  return (reply, key = '') => {
    const own = [...active.values()].filter((one) => one === key).length;
    if (active.size >= all || own >= each) return fail('unavailable', { retryAfter: 10 });
    const left = new AbortController();
    active.set(left, key);
    reply.raw.once('close', () => {
      active.delete(left);
      left.abort();
    });
    return left.signal;
  };
}
