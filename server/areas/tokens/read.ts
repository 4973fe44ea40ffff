import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../../context';
import type { AccessSource, SessionInfo } from '../../http/access';
import { addressMatcher, clientAddress } from '../../http/address';
import { fail } from '../../http/failure';
import { enrolmentOf } from '../session';
import { accessFound, isSiteId } from '../sites';
import * as queries from './queries';
import { hashToken } from '../../kit/tokens';

/** Makes a token recognizable for secret scanners and people. */
export const tokenPrefix = 'sck_';
const pattern = /^sck_[A-Za-z0-9_-]{43}$/;
/** The last use is written at most this often, in milliseconds. */
const touchEvery = 60_000;
/** Requests per token, minute and process. */
const perMinute = 600;

/**
 * Authenticates API tokens: `AccessSource.token`. The result is the owner's current state, so that a revoked role also applies to their tokens. Throws
 * `too_many_requests`.
 */
export function tokenAccess(ctx: Context): AccessSource['token'] {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });

  return async (request, value, siteId) => {
    if (!pattern.test(value)) return null;
    const now = ctx.now();
    const found = await queries.findToken(ctx.postgres.db, hashToken(value), new Date(now), siteId !== null && isSiteId(siteId) ? siteId : null);
    if (!found) return null;
    const { token, owner, site, granted, contentRevision } = found;
    const address = clientAddress(request);
    if (token.addresses.length > 0 && !addressMatcher(token.addresses)(address)) return null;
    await limiter.consume(token.id).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) fail('too_many_requests', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
      throw error;
    });
    const stale = new Date(now - touchEvery);
    if (token.lastUsedAt === null || token.lastUsedAt < stale) await queries.touchToken(ctx.postgres.db, token.id, new Date(now), address, stale);
    const session: SessionInfo = {
      id: token.id,
      token: { id: token.id, scopes: token.scopes, siteIds: token.siteIds },
      userId: owner.id,
      role: owner.role,
      loginName: owner.loginName,
      displayName: owner.displayName,
      locale: owner.locale,
      timeZone: owner.timeZone,
      createdAt: token.createdAt.getTime(),
      idleUntil: token.expiresAt.getTime(),
      absoluteUntil: token.expiresAt.getTime(),
      // A token proves no identity: actions that require a proof are not available to it.
      provenAt: 0,
      ...(await enrolmentOf(ctx, owner)),
    };
    return { session, site: site && accessFound(session, { site, granted, contentRevision }) };
  };
}
