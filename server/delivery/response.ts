import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pagePolicy } from './pages';

export type DeliveryResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it arrives; it needs no `content-length`. */
  readonly body: string | Buffer | Readable;
};

/** Pages may be cached but are revalidated each time; the ETag makes that cheap and a publication visible at once. */
const revalidate = 'public, max-age=0, must-revalidate';

/** Strong validator of a body. */
export const etagOf = (body: string | Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

/** A page of the program itself. */
export const pageResponse = (status: number, html: string, cacheControl = revalidate): DeliveryResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy, 'cache-control': cacheControl, etag: etagOf(html) },
  body: html,
});

export const plainResponse = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): DeliveryResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body,
});
