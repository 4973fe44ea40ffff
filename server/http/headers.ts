import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isSiteOrigin } from '../../contract/tables/formTerms';

/** What an answer that is not a page may do when somebody opens it as one: nothing. */
export const inertPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * The console's policy. Emotion writes its styles with the nonce; scripts come only from our own files and
 * only through webpack's Trusted Types policy.
 */
const pagePolicy = (nonce: string, frames: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frames.filter(isSiteOrigin).join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types console-webpack',
  ].join('; ');

const oneYear = 31_536_000;

/** Headers of every answer. A route that needs another policy sets it before. */
export function setCommonHeaders(reply: FastifyReply, secure: boolean): void {
  const defaults: Record<string, string> = {
    'content-security-policy': inertPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': `max-age=${oneYear}` } : {}),
  };
  for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) void reply.header(name, value);
}

/** Sends a page whose every `__NONCE__` becomes one fresh nonce. Never stored: the nonce is for this answer alone. `frames`: sites (origins) that may show it in a frame. */
export function sendPage(reply: FastifyReply, html: string, status = 200, frames: readonly string[] = []): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .header('content-security-policy', pagePolicy(nonce, frames))
    .header('cache-control', 'no-store')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
    .type('text/html; charset=utf-8')
    .send(html.replaceAll('__NONCE__', nonce));
}
