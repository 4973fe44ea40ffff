import type { IncomingMessage } from 'node:http';

/**
 * The first `most` bytes of a response as text, for diagnosis by a person; the rest is not read, and the connection is closed. A truncated body is returned as
 * far as it was received, because the status is what matters. Invalid bytes become replacement characters. Never throws.
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
  // PostgreSQL cannot store U+0000.
  return Buffer.concat(chunks).subarray(0, most).toString('utf8').replaceAll('\u0000', '\uFFFD');
}
