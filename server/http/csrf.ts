import type { FastifyRequest } from 'fastify';
import { bearerOf } from './bearer';
import { sessionCookieNames } from './cookies';
import { fail } from './failure';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A write must come from the console's own pages (OWASP CSRF cheat sheet: Fetch Metadata, then Origin).
 * `Sec-Fetch-Site` decides where the browser sends it (https and localhost); otherwise `Origin` must be ours. With a session
 * cookie, which is what a forger would borrow, one of the two must be there, and so must `X-Requested-With: console`: a
 * header that no form can set and that another origin may not send without a preflight, which we never allow.
 */
export function refuseForeignWrites(request: FastifyRequest, publicUrl: string): void {
  if (safeMethods.has(request.method)) return;
  // A token is no cookie: no browser adds it by itself, and another origin may not send the header without a preflight.
  if (bearerOf(request) !== null) return;
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const borrowed = sessionCookieNames.some((name) => request.cookies[name] !== undefined);
  if (site !== undefined) {
    if (site !== 'same-origin') fail('bad_origin');
  } else if (origin !== undefined) {
    if (origin !== new URL(publicUrl).origin) fail('bad_origin');
  } else if (borrowed) {
    fail('bad_origin');
  }
  if (borrowed && request.headers['x-requested-with'] !== 'console') fail('bad_origin');
}
