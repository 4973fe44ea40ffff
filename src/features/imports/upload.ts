import type { Import } from '@contract/imports';
import { readAnswer } from '@/store/baseQuery';
import { isPassing } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';

/** Bytes of a piece; well below what the server takes, so that little is sent twice. */
const pieceBytes = 4 * 2 ** 20;
const pauses = [1000, 2000, 5000, 10_000, 20_000, 30_000];

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

async function sendPiece(
  siteId: string,
  id: string,
  index: number,
  offset: number,
  piece: Blob,
  signal: AbortSignal,
): Promise<{ data: Import } | { error: ApiFailure }> {
  const url = `/api/site/${siteId}/als/imports/${id}/data?file=${index}&offset=${offset}`;
  const call = { method: 'PUT', url };
  try {
    const response = await fetch(url, {
      method: 'PUT',
      body: piece,
      signal,
      credentials: 'include',
      headers: { accept: 'application/json', 'content-type': 'application/octet-stream', 'x-requested-with': 'console' },
    });
    const { status, statusText } = response;
    return readAnswer(call, { status, statusText, type: response.headers.get('content-type') ?? '', text: await response.text() }) as
      | { data: Import }
      | { error: ApiFailure };
  } catch {
    return { error: { ...call, kind: signal.aborted ? 'aborted' : 'network', status: 0, message: '' } };
  }
}

/**
 * Sends what the server does not have yet, file after file, from where it stopped. A network that goes away is waited for; null at the
 * end, or what went wrong. `onMoved`: the import after every piece.
 */
export async function sendFiles(
  siteId: string,
  from: Import,
  files: readonly File[],
  onMoved: (now: Import) => void,
  signal: AbortSignal,
): Promise<ApiFailure | null> {
  let now = from;
  let failures = 0;
  for (const [index, file] of files.entries()) {
    for (;;) {
      const offset = now.files[index]?.stored ?? 0;
      if (offset >= file.size) break;
      const result = await sendPiece(siteId, now.id, index, offset, file.slice(offset, offset + pieceBytes, 'application/octet-stream'), signal);
      if ('data' in result) {
        failures = 0;
        now = result.data;
        onMoved(now);
        continue;
      }
      const { error } = result;
      // Somebody has sent it already (an answer was lost, another tab): go on from where the file is now.
      if (error.code === 'conflict' && error.current !== undefined) {
        now = error.current as Import;
        onMoved(now);
        continue;
      }
      if (!isPassing(error) && error.code !== 'too_many_requests') return error;
      await wait(pauses[Math.min(failures, pauses.length - 1)] ?? 30_000, signal);
      failures += 1;
      if (signal.aborted) return error;
    }
  }
  return null;
}

/** Whether chosen files are those of an import that has been begun: same names and sizes, in any order. Returns them in its order. */
export function inOrderOf(it: Pick<Import, 'files'>, chosen: readonly File[]): File[] | null {
  const found = it.files.map((file) => chosen.find((one) => one.name === file.name && one.size === file.size));
  return found.every((file) => file !== undefined) ? found : null;
}
