import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context';
import { isLoopback } from '../../../loopback';
import { unwrapAddress } from '../../../http/address';
import { sameSecret } from '../../../secrets';
import { MINUTE } from '../../../zone';
import { isOpen } from '../../../../contract/sites/terms';
import type { SiteIndex } from '../../sites';
import { readHostname } from '../input';

/** Names per registrable domain and minute for which certificates may be requested for the first time. */
const newPerMinute = 5;
const mostNames = 100_000;

/** A program on this machine that asks for itself: a proxy forwards requests of visitors from the same address, but with their host, or with headers that say so. */
function asksForItself(request: FastifyRequest): boolean {
  const address = unwrapAddress(request.socket.remoteAddress ?? '');
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => request.headers[name] !== undefined);
  return (address.startsWith('127.') || address === '::1') && isLoopback(host) && !forwarded;
}

/**
 * `GET /internal/tls/ask?domain=…`: 200 if a certificate may be requested for a host, else 403. Answered from memory. To everybody else than the programs that may ask,
 * the address does not exist.
 */
export function createTlsAsk(
  ctx: Context,
  sites: Pick<SiteIndex, 'servedAt'>,
): (request: FastifyRequest, reply: FastifyReply, query: URLSearchParams) => FastifyReply {
  const { tlsAskSecret } = ctx.config;
  const allowed = new Set<string>();
  const recent = new Map<string, number[]>();

  function isNewAllowed(host: string): boolean {
    const read = readHostname(host);
    const apex = 'refused' in read ? host : read.apex;
    const now = ctx.now();
    const times = (recent.get(apex) ?? []).filter((at) => at > now - MINUTE);
    if (times.length >= newPerMinute) return false;
    if (allowed.size >= mostNames) allowed.clear();
    if (recent.size >= mostNames) recent.clear();
    allowed.add(host);
    recent.set(apex, [...times, now]);
    return true;
  }

  return (request, reply, query) => {
    const secret = query.get('secret');
    const mayAsk = secret === null || tlsAskSecret === null ? asksForItself(request) : sameSecret(secret, tlsAskSecret);
    if (!mayAsk || ctx.config.tlsMode !== 'caddy') return reply.code(404).send('');
    const host = (query.get('domain') ?? '').toLowerCase();
    const site = sites.servedAt(host);
    if (site === null || !isOpen(site.state)) {
      allowed.delete(host);
      return reply.code(403).send('');
    }
    return reply.code(allowed.has(host) || isNewAllowed(host) ? 200 : 403).send('');
  };
}
