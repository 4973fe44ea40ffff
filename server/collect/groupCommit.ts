import type { Log } from '../log';
import type { Position } from './checkpoint';
import type { SegmentFile } from './segmentFile';

export type GroupCommit = {
  /** Resolves with the place behind the frame once the disk has answered; rejects when it refuses, and then nothing of it counts. */
  readonly append: (frame: Buffer) => Promise<Position>;
  /** Bytes in memory that the disk does not have yet. */
  readonly waitingBytes: () => number;
  readonly isWriting: () => boolean;
  /** Appends wait until this is over. */
  readonly waitFor: (work: Promise<void>) => void;
  /** Resolves when nothing is being written. */
  readonly idle: () => Promise<void>;
};

type Waiting = { readonly frame: Buffer; readonly resolve: (at: Position) => void; readonly reject: (error: unknown) => void };

/** Frames that arrive while the disk answers share the next write and its sync. */
export function createGroupCommit(file: SegmentFile, log: Log, onDurable?: () => void): GroupCommit {
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | null = null;

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await file.append(group.length === 1 ? (group[0] as Waiting).frame : Buffer.concat(group.map((one) => one.frame)));
      const last = file.last();
      for (const one of group) {
        last.bytes += one.frame.length;
        one.resolve({ segment: last.number, offset: last.bytes });
      }
      onDurable?.();
    } catch (error) {
      // After a failed sync nobody knows what the file holds: the next group goes to a new one.
      log.error('The journal could not be written', { file: file.last().file, offset: file.last().bytes, error });
      for (const one of group) one.reject(error);
      await file.abandon();
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await writeGroup(group);
      waitingBytes -= group.reduce((sum, one) => sum + one.frame.length, 0);
    }
    writing = null;
  }

  return {
    append: (frame) =>
      new Promise((resolve, reject) => {
        waiting.push({ frame, resolve, reject });
        waitingBytes += frame.length;
        // One turn of the event loop, so that requests that arrived together share a write.
        writing ??= new Promise<void>((next) => setImmediate(next)).then(writeAll);
      }),
    waitingBytes: () => waitingBytes,
    isWriting: () => writing !== null,
    waitFor: (work) => void (writing = work.then(writeAll, writeAll)),
    async idle() {
      while (writing !== null) await writing;
    },
  };
}
