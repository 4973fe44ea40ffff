import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 of a blob in hexadecimal digits, read chunk by chunk: `crypto.subtle` would need all of it in memory, and does not exist on plain http. */
export async function hashBlob(blob: Blob, chunkBytes = 4 * 2 ** 20): Promise<string> {
  const hash = sha256.create();
  for (let start = 0; start < blob.size; start += chunkBytes) hash.update(new Uint8Array(await blob.slice(start, start + chunkBytes).arrayBuffer()));
  return bytesToHex(hash.digest());
}
