import { importCalls } from '@contract/imports/calls';
import type { Import, importEndpoints } from '@contract/imports/schemas';
import { addressOf, typed } from '@/store/endpoints';
import type { ApiFailure } from '@/lib/failure';
import { sendChunks } from '@/store/sendChunks';

const calls = typed<typeof importEndpoints>(importCalls);

/**
 * Uploads the remaining data, file after file, from where it stopped. It waits while the network is down; resolves to null at the end, or to the
 * failure. `onMoved`: the import after every chunk.
 */
export async function sendFiles(
  siteId: string,
  from: Import,
  files: readonly File[],
  onMoved: (now: Import) => void,
  signal: AbortSignal,
): Promise<ApiFailure | null> {
  let last = from;
  for (const [index, file] of files.entries()) {
    const { now, failure } = await sendChunks<Import>({
      file,
      from: last,
      address: (offset) => addressOf(calls.importData, { siteId, id: from.id, file: index, offset }),
      stored: (one) => one.files[index]?.stored ?? 0,
      onMoved,
      signal,
    });
    if (failure !== null) return failure;
    last = now;
  }
  return null;
}

/** Whether the chosen files are those of a started import: same names and sizes, in any order. Returns them in its order. */
export function inOrderOf(it: Pick<Import, 'files'>, chosen: readonly File[]): File[] | null {
  const found = it.files.map((file) => chosen.find((one) => one.name === file.name && one.size === file.size));
  return found.every((file) => file !== undefined) ? found : null;
}
