import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { asRefusal } from './publicAddress';

/**
 * The first `most` bytes of a body, decompressed; the rest is not read and the connection is closed. Throws `ConnectRefused` if the body is truncated before
 * that.
 */
export async function readBody(response: IncomingMessage, most: number, signal: AbortSignal): Promise<Buffer> {
  const decoder = decoderFor(response.headers['content-encoding'] ?? '');
  if (decoder) response.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  const body: Readable = decoder ?? response;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
    return Buffer.concat(chunks).subarray(0, most);
  } catch (error) {
    throw asRefusal(error, signal);
  } finally {
    response.destroy();
  }
}

function decoderFor(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

/** A page as text, decoded with the charset in its header or in its first kilobyte; UTF-8 if neither is present, or if the charset is unknown. */
export function textOf(body: Buffer, headers: IncomingHttpHeaders): string {
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const label = named.exec(headers['content-type'] ?? '')?.[1] ?? named.exec(body.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
