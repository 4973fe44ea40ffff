import type { FastifyReply } from 'fastify';
import { fail } from './failure';

/** Headers of a download that nothing opens in place. Names outside ASCII go as RFC 5987 says. */
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
 * Places for files that one process sends at a time: each holds a connection for reading as long as its reader takes. At most `all` together and `each` for
 * one `key`, so that a slow reader of one thing does not keep others from theirs. A place is free again when the reader has it all or leaves, which the
 * signal tells. Throws `unavailable` where none is free.
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
