import { open } from 'node:fs/promises';
import { DownloadFailed, download } from './download';
import type { Validators } from './download';

const timeout = 30_000;

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/** The name of a source in logs and job lists. For an address it is only the host, because the rest may contain a password or a key. */
export const sourceName = (source: string): string => (isAddress(source) ? new URL(source).host : source);

/** At most `bytes` of a text that the operator of this program names: a file, or an http address. null: the text at the address has not changed. Throws `DownloadFailed`, or the error of the file. */
export async function publishedText(source: string, bytes: number, known?: Validators): Promise<(Validators & { readonly text: string }) | null> {
  if (isAddress(source)) {
    const found = await download(source, { bytes, signal: AbortSignal.timeout(timeout), ...(known && { known }) });
    return found && { text: found.body.toString('utf8'), etag: found.etag, modified: found.modified };
  }
  const file = await open(source);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes + 1), 0, bytes + 1, 0);
    if (bytesRead > bytes) throw new DownloadFailed('too_large', source);
    return { text: buffer.toString('utf8', 0, bytesRead), etag: null, modified: (await file.stat()).mtime.toUTCString() };
  } finally {
    await file.close();
  }
}
