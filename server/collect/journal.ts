import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log';
import { isBefore, readCheckpoint, syncFolder, writeCheckpoint } from './checkpoint';
import type { Position } from './checkpoint';
import { dataFrame, headBytes, readFrame } from './frames';
import { openSegments, segmentName } from './recovery';
import type { Segment } from './recovery';

export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

export type JournalRecord = { readonly payload: string; readonly columns: readonly string[] };
export type JournalBatch = { readonly records: readonly JournalRecord[]; readonly from: Position; readonly to: Position };

export type Journal = {
  /**
   * Makes a payload durable. Resolves with the place behind it once the disk has answered; while it answers, further
   * payloads gather and go with the next write. Throws `JournalFull` when the bound is reached; rejects when the
   * disk refuses, and then nothing of it counts.
   */
  readonly append: (payload: string) => Promise<Position>;
  /** Durable records from a place on, at most about `bytes`, and none behind `until` where that is given. `to`: the place behind them. */
  readonly read: (from: Position, bytes: number, until?: Position) => Promise<JournalBatch>;
  /**
   * Everything before the place is stored elsewhere and worked in: remembers that and deletes files that are no longer needed. `inserted`: up to where it
   * is stored, if that is further on.
   */
  readonly release: (upTo: Position, inserted?: Position) => Promise<void>;
  /** Up to where everything was stored and worked in when the journal was opened. */
  readonly released: Position;
  /** Up to where everything was stored then. */
  readonly inserted: Position;
  /** The place behind the last durable record. */
  readonly end: () => Position;
  /** Bytes kept, those waiting for the disk included. */
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
};

export type JournalOptions = {
  readonly folder: string;
  readonly maxBytes: number;
  /** What a payload's lists mean; written at the head of every segment so that a newer program can read old ones. */
  readonly columns: readonly string[];
  readonly log: Log;
  readonly segmentBytes?: number;
  /** Called when more has become durable. */
  readonly onDurable?: () => void;
};

/** Bytes in memory while the disk does not answer. */
const maxWaiting = 64 * 1024 * 1024;
/** A drained segment larger than this is replaced at once rather than when it is full. */
const idleBytes = 64 * 1024;

type Waiting = { readonly frame: Buffer; readonly resolve: (at: Position) => void; readonly reject: (error: unknown) => void };

/**
 * Opens the journal in a folder of its own: append-only segment files of CRC-checked frames. One process writes it.
 * Segments are small and vanish once drained, because a hit should stay on this disk no longer than it must.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { folder, maxBytes, columns, log, onDurable } = options;
  const segmentBytes = options.segmentBytes ?? 8 * 1024 * 1024;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const segments = await openSegments(folder, log);
  const checkpoint = await readCheckpoint(folder);
  const header = dataFrame(JSON.stringify({ columns }));
  /** What a segment's header says its records look like. */
  const columnsOf = new Map<number, readonly string[]>();

  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | null = null;
  let closed = false;
  let handle: FileHandle | null = null;
  // Never write behind what an earlier run left: a fresh segment keeps both apart.
  let last: Segment = { number: Math.max(checkpoint?.segment ?? 0, segments.at(-1)?.number ?? 0), file: '', bytes: 0 };
  await rotate();
  const oldest = segments[0] as Segment;
  const released: Position = checkpoint !== null && checkpoint.segment >= oldest.number ? checkpoint : { segment: oldest.number, offset: 0 };
  const inserted: Position = checkpoint !== null && isBefore(released, checkpoint.inserted) ? checkpoint.inserted : released;

  async function rotate(): Promise<FileHandle> {
    await handle?.close();
    handle = null;
    const number = last.number + 1;
    const file = path.join(folder, segmentName(number));
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
    last = { number, file, bytes: header.length };
    segments.push(last);
    return fresh;
  }

  const total = (): number => segments.reduce((sum, segment) => sum + segment.bytes, 0) + waitingBytes;

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const file = handle !== null && last.bytes <= segmentBytes ? handle : await rotate();
      const bytes = group.length === 1 ? (group[0] as Waiting).frame : Buffer.concat(group.map((one) => one.frame));
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done, bytes.length - done, last.bytes + done)).bytesWritten;
      await file.datasync();
      for (const one of group) {
        last.bytes += one.frame.length;
        one.resolve({ segment: last.number, offset: last.bytes });
      }
      onDurable?.();
    } catch (error) {
      // After a failed sync nobody knows what the file holds: the next group goes to a new one.
      log.error('The journal could not be written', { file: last.file, offset: last.bytes, error });
      for (const one of group) one.reject(error);
      const broken = handle;
      handle = null;
      await broken?.close().catch(() => undefined);
    }
  }

  /** Everything is stored: begins a new file, so that the written ones can go. Appends wait for it. */
  async function startAfresh(): Promise<void> {
    const rotated = rotate();
    writing = rotated.then(writeAll, writeAll);
    await rotated;
    const start: Position = { segment: last.number, offset: 0 };
    await writeCheckpoint(folder, { ...start, inserted: start });
    await removeBefore(last.number);
  }

  async function removeBefore(number: number): Promise<void> {
    while ((segments[0] as Segment).number < number) {
      const gone = segments.shift() as Segment;
      columnsOf.delete(gone.number);
      await rm(gone.file, { force: true });
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
    released: { segment: released.segment, offset: released.offset },
    inserted,
    bytes: total,
    end: () => ({ segment: last.number, offset: last.bytes }),

    append(payload) {
      if (closed) return Promise.reject(new Error('the journal is closed'));
      const frame = dataFrame(payload);
      if (total() + frame.length > maxBytes || waitingBytes > maxWaiting) return Promise.reject(new JournalFull('the journal has reached its bound'));
      return new Promise((resolve, reject) => {
        waiting.push({ frame, resolve, reject });
        waitingBytes += frame.length;
        // One turn of the event loop, so that requests that arrived together share a write.
        writing ??= new Promise<void>((next) => setImmediate(next)).then(writeAll);
      });
    },

    async read(from, bytes, until) {
      const records: JournalRecord[] = [];
      let to = from;
      // A list of its own: segments may be added and removed while files are read.
      for (const segment of segments.filter((one) => one.number >= from.segment)) {
        const start = segment.number === from.segment ? from.offset : 0;
        if (until !== undefined && segment.number > until.segment) break;
        const end = until?.segment === segment.number ? Math.min(until.offset, segment.bytes) : segment.bytes;
        const length = Math.min(end - start, bytes);
        if (length > 0) {
          const read = await readSegment({ ...segment, bytes: end }, start, length);
          records.push(...read.records);
          to = { segment: segment.number, offset: read.to };
          if (records.length > 0 || read.to < end) break;
        } else if (segment.number > to.segment) to = { segment: segment.number, offset: 0 };
      }
      return { records, from, to };
    },

    async release(upTo, stored = upTo) {
      await writeCheckpoint(folder, { segment: upTo.segment, offset: upTo.offset, inserted: stored });
      await removeBefore(upTo.segment);
      const allStored = writing === null && !isBefore(upTo, { segment: last.number, offset: last.bytes });
      if (allStored && !closed && last.bytes > idleBytes) await startAfresh();
    },

    async close() {
      closed = true;
      while (writing !== null) await writing;
      await handle?.close();
      handle = null;
    },
  };

  async function readSegment(segment: Segment, start: number, length: number): Promise<{ records: JournalRecord[]; to: number }> {
    const file = await open(segment.file, 'r');
    try {
      let bytes = await readBytes(file, start, length);
      const records: JournalRecord[] = [];
      let at = 0;
      for (;;) {
        let frame = readFrame(bytes, at);
        if (frame === 'short' && records.length === 0 && start + bytes.length < segment.bytes) {
          // A single record larger than the asked-for stretch.
          const needed = at + headBytes + (bytes.length >= at + headBytes ? bytes.readUInt32LE(at + 4) : 0);
          bytes = await readBytes(file, start, Math.min(Math.max(needed, bytes.length * 2), segment.bytes - start));
          frame = readFrame(bytes, at);
        }
        if (typeof frame === 'string') {
          if (frame === 'bad') throw new Error(`the journal is damaged: ${segment.file} at ${start + at}`);
          return { records, to: start + at };
        }
        if (frame.kind === 'data' && start + at === 0) columnsOf.set(segment.number, (JSON.parse(frame.payload.toString()) as { columns: string[] }).columns);
        else if (frame.kind === 'data')
          records.push({ payload: frame.payload.toString(), columns: columnsOf.get(segment.number) ?? (await readColumns(file, segment)) });
        at = frame.to;
      }
    } finally {
      await file.close();
    }
  }

  async function readColumns(file: FileHandle, segment: Segment): Promise<readonly string[]> {
    const frame = readFrame(await readBytes(file, 0, Math.min(segment.bytes, 64 * 1024)), 0);
    const known = typeof frame === 'string' || frame.kind === 'skip' ? columns : (JSON.parse(frame.payload.toString()) as { columns: string[] }).columns;
    columnsOf.set(segment.number, known);
    return known;
  }
}

async function readBytes(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
