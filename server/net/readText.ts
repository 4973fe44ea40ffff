import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { asRefusal } from './publicAddress';

/** The first `most` bytes of a body, unpacked; the rest is not read and the connection ends. Throws `ConnectRefused` where the body breaks off before. */
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

/** A page as text, by the encoding that its header or its own first kilobyte names; UTF-8 where neither does, or names one that nobody knows. */
export function textOf(body: Buffer, headers: IncomingHttpHeaders): string {
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const label = named.exec(headers['content-type'] ?? '')?.[1] ?? named.exec(body.subarray(0, 1024).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
