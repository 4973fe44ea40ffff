type Response = { readonly id: number; readonly sha256: string | null };

/** Above this size, in bytes, hashing takes longer than it saves. */
const largestHashed = 512 * 2 ** 20;
let worker: Worker | null = null;
let count = 0;

/** SHA-256 of a file, computed in a worker; null if the file is too large or cannot be read. */
export async function hashFile(file: File, signal: AbortSignal): Promise<string | null> {
  if (file.size > largestHashed || typeof Worker === 'undefined') return null;
  worker ??= new Worker(/* webpackChunkName: "hash" */ new URL('./hashWorker.ts', import.meta.url));
  const port = worker;
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    const end = (sha256: string | null): void => {
      port.removeEventListener('message', onMessage);
      port.removeEventListener('error', onError);
      signal.removeEventListener('abort', onError);
      resolve(sha256);
    };
    const onMessage = ({ data }: MessageEvent<Response>): void => void (data.id === id && end(data.sha256));
    const onError = (): void => end(null);
    port.addEventListener('message', onMessage);
    port.addEventListener('error', onError);
    signal.addEventListener('abort', onError);
    port.postMessage({ id, blob: file });
  });
}
