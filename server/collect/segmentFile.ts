import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../stores/syncFolder';
import { segmentName } from './recovery';
import type { Segment } from './recovery';

export type SegmentFile = {
  /** The segment that is written. Whoever appends counts the bytes that have become durable. */
  readonly last: () => Segment;
  /** Makes bytes durable behind those of the segment, in a new one when it is full. */
  readonly append: (bytes: Buffer) => Promise<void>;
  /** Begins a new segment. */
  readonly rotate: () => Promise<void>;
  /** Writes no more into this segment: the next bytes go to a new one. */
  readonly abandon: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The file that the journal writes. New segments begin with `header`, and are added to `segments`; `number`: the last that was used. */
export function createSegmentFile(folder: string, segments: Segment[], header: Buffer, number: number, segmentBytes: number): SegmentFile {
  let handle: FileHandle | null = null;
  let last: Segment = { number, file: '', bytes: 0 };

  async function begin(): Promise<FileHandle> {
    await handle?.close();
    handle = null;
    const next = last.number + 1;
    const file = path.join(folder, segmentName(next));
    const fresh = await open(file, 'w', 0o600);
    try {
      await fresh.write(header, 0, header.length, 0);
      await fresh.datasync();
      await syncFolder(folder);
    } catch (error) {
      // On a full disk this happens once for every group of hits.
      await fresh.close().catch(() => undefined);
      throw error;
    }
    handle = fresh;
    last = { number: next, file, bytes: header.length };
    segments.push(last);
    return fresh;
  }

  return {
    last: () => last,
    async append(bytes) {
      const file = handle !== null && last.bytes <= segmentBytes ? handle : await begin();
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done, bytes.length - done, last.bytes + done)).bytesWritten;
      await file.datasync();
    },
    rotate: async () => void (await begin()),
    async abandon() {
      const broken = handle;
      handle = null;
      await broken?.close().catch(() => undefined);
    },
    async close() {
      await handle?.close();
      handle = null;
    },
  };
}
