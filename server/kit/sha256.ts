import { createHash } from 'node:crypto';

/** SHA-256 of a content of any length, in hex. */
export async function sha256Of(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
