import { isPassing } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { waitForNetwork } from '@/lib/waitForNetwork';

/** Bytes of a chunk: how much may be sent twice after an interruption. */
const chunkSize = 4 * 2 ** 20;
/** Times before the next attempts, in milliseconds. */
const pauses = [1000, 2000, 5000, 10_000, 20_000, 30_000];
const tus = () => import(/* webpackChunkName: "tus" */ './tus');

export type FileToSend = {
  readonly file: Blob;
  /** Of its upload. */
  readonly address: string;
  /** Bytes that the server is known to have. */
  readonly stored: number;
};
type Sending = {
  /** The server has stored this much of a file. */
  readonly onStored: (file: number, bytes: number) => void;
  /** The network went down, or came back. */
  readonly onWaiting: (waiting: boolean) => void;
  readonly signal: AbortSignal;
};

/** Sends the rest of a file; waits while the network is down, and asks the server again how much it has when another tab has sent the same. */
async function sendFile({ file, address }: FileToSend, index: number, { onStored, onWaiting, signal }: Sending): Promise<ApiFailure | null> {
  let failures = 0;
  const stored = (bytes: number): void => {
    if (signal.aborted) return;
    if (failures > 0) onWaiting(false);
    failures = 0;
    onStored(index, bytes);
  };
  for (;;) {
    const { sendRest } = await tus();
    const failure = await sendRest(file, address, { chunkSize, onStored: stored, signal });
    if (signal.aborted) return { method: '', url: address, kind: 'aborted', status: 0, message: '' };
    if (failure === null) {
      // The server may have had everything already.
      stored(file.size);
      return null;
    }
    const sentElsewhere = failure.code === 'conflict';
    if (!isPassing(failure) && failure.code !== 'too_many_requests' && !sentElsewhere) return failure;
    if (!sentElsewhere) onWaiting(true);
    await waitForNetwork(pauses[Math.min(failures, pauses.length - 1)] ?? 30_000, signal);
    failures += 1;
    if (signal.aborted) return failure;
  }
}

/** Sends the rest of several files, one after the other; resolves to the failure that stopped it, or null. */
export async function sendFiles(files: readonly FileToSend[], sending: Sending): Promise<ApiFailure | null> {
  for (const [index, one] of files.entries()) {
    if (one.stored >= one.file.size) continue;
    const failure = await sendFile(one, index, sending);
    if (failure !== null) return failure;
  }
  return null;
}
