import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { StoredFile } from '../stores/files/storedFile';

export type SentFile = {
  readonly file: StoredFile;
  /** Size in bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Strong validator without quotes; it identifies the content. */
  readonly tag: string;
};

/**
 * Sends a stored file: 304 if the caller has it, 206 for one range, 416 for one outside the file (RFC 9110, sections 13 and 14). Several ranges are answered
 * with the whole file. The caller sets all other headers, such as the policy of caches.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { file, size, contentType, tag }: SentFile): FastifyReply {
  const quoted = `"${tag}"`;
  void reply.header('etag', quoted).header('accept-ranges', 'bytes').header('x-content-type-options', 'nosniff');
  if (matches(request.headers['if-none-match'], quoted)) return reply.code(304).send();
  void reply.type(contentType);
  const condition = request.headers['if-range'];
  const requested = request.headers.range;
  const ranges = requested !== undefined && (condition === undefined || condition === quoted) ? parseRange(size, requested) : -2;
  if (ranges === -1) return reply.code(416).header('content-range', `bytes */${size}`).removeHeader('content-type').send();
  const [range] = ranges === -2 || ranges.length !== 1 || ranges.type !== 'bytes' ? [] : ranges;
  if (!range) return reply.header('content-length', size).send(request.method === 'HEAD' ? nothing() : size === 0 ? '' : file.read());
  void reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1);
  return reply.send(request.method === 'HEAD' ? nothing() : file.read({ start: range.start, end: range.end }));
}

/** Body of a response to HEAD. A stream, because Fastify replaces the length of the file by that of a text. */
const nothing = (): Readable => Readable.from([]);

const matches = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
