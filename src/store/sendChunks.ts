import { readResponse } from './baseQuery';
import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';

/** Bytes of a chunk; well below the server's limit, so that little is sent twice. */
const chunkBytes = 4 * 2 ** 20;
const pauses = [1000, 2000, 5000, 10_000, 20_000, 30_000];

/** Waits this long, or until aborted or the network is reported back. Milliseconds. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });

async function sendChunk(url: string, piece: Blob, signal: AbortSignal): Promise<{ data: unknown } | { error: ApiFailure }> {
  const call = { method: 'PUT', url };
  try {
    const response = await fetch(new URL(url, location.origin).href, {
      method: 'PUT',
      body: piece,
      signal,
      credentials: 'include',
      headers: { accept: 'application/json', 'content-type': 'application/octet-stream', 'x-requested-with': 'console' },
    });
    const { status, statusText } = response;
    return readResponse(call, { status, statusText, type: response.headers.get('content-type') ?? '', text: await response.text() });
  } catch {
    return { error: { ...call, kind: signal.aborted ? 'aborted' : 'network', status: 0, message: '' } };
  }
}

/** Where the files of an object are sent. */
export type UploadTarget<T> = {
  /** The address for the chunk of a file that begins at this byte. */
  readonly address: (object: T, file: number, offset: number) => string;
  /** Stored bytes of each file. */
  readonly stored: (object: T) => readonly number[];
};
type Sending<T> = {
  /** The server's last known state. */
  readonly from: T;
  readonly target: UploadTarget<T>;
  /** The object after every chunk. */
  readonly onMoved: (now: T) => void;
  /** The network went down, or came back. */
  readonly onWaiting: (waiting: boolean) => void;
  readonly signal: AbortSignal;
};
type Sent<T> = { readonly now: T; readonly failure: ApiFailure | null };

/**
 * Uploads the remaining part of a file chunk by chunk, from where it stopped. It waits while the network is down, and continues from the server's offset if
 * that has advanced in the meantime (a lost response, another tab).
 */
async function sendChunks<T>(file: Blob, index: number, { from, target, onMoved, onWaiting, signal }: Sending<T>): Promise<Sent<T>> {
  let now = from;
  let failures = 0;
  for (;;) {
    const offset = target.stored(now)[index] ?? 0;
    if (offset >= file.size) return { now, failure: null };
    const result = await sendChunk(target.address(from, index, offset), file.slice(offset, offset + chunkBytes, 'application/octet-stream'), signal);
    const next =
      'data' in result
        ? (result.data as T | null)
        : result.error.code === 'conflict' && result.error.current !== undefined
          ? (result.error.current as T)
          : null;
    if (next !== null) {
      if (failures > 0) onWaiting(false);
      failures = 0;
      now = next;
      onMoved(now);
      continue;
    }
    if ('data' in result) return { now, failure: null };
    const { error } = result;
    if (!isPassing(error) && error.code !== 'too_many_requests') return { now, failure: error };
    onWaiting(true);
    await wait(pauses[Math.min(failures, pauses.length - 1)] ?? 30_000, signal);
    failures += 1;
    if (signal.aborted) return { now, failure: error };
  }
}

/** Uploads the remaining data of several files, one after the other. */
export async function sendFiles<T>({ files, ...sending }: Sending<T> & { readonly files: readonly Blob[] }): Promise<Sent<T>> {
  let now = sending.from;
  for (const [index, file] of files.entries()) {
    const sent = await sendChunks(file, index, { ...sending, from: now });
    if (sent.failure !== null) return sent;
    ({ now } = sent);
  }
  return { now, failure: null };
}
