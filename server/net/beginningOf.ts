import type { IncomingMessage } from 'node:http';

/**
 * The first `most` bytes of an answer as a text, for the person who has to find out why; the rest is not read, and the connection ends. What breaks off is kept
 * as far as it came, for the status has been said, and it is what counts. Bytes that are no text become signs that say so. Never throws.
 */
export async function beginningOf(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch {
    // Broken off.
  } finally {
    response.destroy();
  }
  // PostgreSQL keeps no U+0000.
  return Buffer.concat(chunks).subarray(0, most).toString('utf8').replaceAll('\u0000', '\uFFFD');
}
