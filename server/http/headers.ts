import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isSiteOrigin } from '../../contract/tables/formTerms';

/** Policy of responses that are not pages, in case they are opened as one: nothing is allowed. */
export const inertPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * The console's policy. Emotion adds the nonce to its styles; scripts are loaded only from the server's own files and only through webpack's Trusted Types
 * policy.
 */
const pagePolicy = (nonce: string, frames: readonly string[], embeds: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src ${["'self'", ...embeds].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frames.filter(isSiteOrigin).join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types console-webpack',
  ].join('; ');

const oneYear = 31_536_000;

/** Headers of every response. A route that needs another policy sets it first. */
export function setCommonHeaders(reply: FastifyReply, secure: boolean): void {
  const defaults: Record<string, string> = {
    'content-security-policy': inertPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': `max-age=${oneYear}` } : {}),
  };
  for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) void reply.header(name, value);
}

/**
 * Sends a page in which every `__NONCE__` is replaced by a new nonce. Never cached, because the nonce is for this response only. `frames`: sites (origins) that
 * may embed it in a frame; `embeds`: sources of pages that it may show in one.
 */
export function sendPage(reply: FastifyReply, html: string, status = 200, frames: readonly string[] = [], embeds: readonly string[] = []): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .header('content-security-policy', pagePolicy(nonce, frames, embeds))
    .header('cache-control', 'no-store')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
    .type('text/html; charset=utf-8')
    .send(html.replaceAll('__NONCE__', nonce));
}
