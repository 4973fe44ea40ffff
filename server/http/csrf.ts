import type { FastifyRequest } from 'fastify';
import { bearerOf } from './bearer';
import { sessionCookieNames } from './cookies';
import { fail } from './failure';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A write must come from the console's own pages (OWASP CSRF cheat sheet: Fetch Metadata, then Origin). `Sec-Fetch-Site` decides if the browser sends it (https
 * and localhost); otherwise `Origin` must match. With a session cookie, which is what a forged request would exploit, one of the two headers is required, and
 * also `X-Requested-With: console`: a header that no form can set and that another origin cannot send without a preflight request, which is never allowed.
 */
export function refuseForeignWrites(request: FastifyRequest, publicUrl: string): void {
  if (safeMethods.has(request.method)) return;
  // A bearer token is not sent automatically by browsers, and another origin cannot send the header without a preflight request.
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
