import { mkdir, rm } from 'node:fs/promises';
import type { Log } from '../log';
import { isBefore, readCheckpoint, writeCheckpoint } from './checkpoint';
import type { Position } from './checkpoint';
import { dataFrame } from './frames';
import { createGroupCommit } from './groupCommit';
import { openSegments } from './recovery';
import type { Segment } from './recovery';
import { createSegmentFile } from './segmentFile';
import { createSegmentReader } from './segmentReader';
import type { JournalBatch } from './segmentReader';

export type { JournalBatch, JournalRecord } from './segmentReader';

export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

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

/**
 * Opens the journal in a folder of its own: append-only segment files of CRC-checked frames. One process writes it.
 * Segments are small and vanish once drained, because a hit should stay on this disk no longer than it must.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { folder, maxBytes, columns, log } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const segments = await openSegments(folder, log);
  const checkpoint = await readCheckpoint(folder);
  // Never write behind what an earlier run left: a fresh segment keeps both apart.
  const lastNumber = Math.max(checkpoint?.segment ?? 0, segments.at(-1)?.number ?? 0);
  const file = createSegmentFile(folder, segments, dataFrame(JSON.stringify({ columns })), lastNumber, options.segmentBytes ?? 8 * 1024 * 1024);
  await file.rotate();
  const commits = createGroupCommit(file, log, options.onDurable);
  const reader = createSegmentReader(columns);
  const oldest = segments[0] as Segment;
  const released: Position = checkpoint !== null && checkpoint.segment >= oldest.number ? checkpoint : { segment: oldest.number, offset: 0 };
  const inserted: Position = checkpoint !== null && isBefore(released, checkpoint.inserted) ? checkpoint.inserted : released;
  let closed = false;

  const total = (): number => segments.reduce((sum, segment) => sum + segment.bytes, 0) + commits.waitingBytes();
  const end = (): Position => ({ segment: file.last().number, offset: file.last().bytes });

  /** Everything is stored: begins a new file, so that the written ones can go. Appends wait for it. */
  async function startAfresh(): Promise<void> {
    const rotated = file.rotate();
    commits.waitFor(rotated);
    await rotated;
    const start: Position = { segment: file.last().number, offset: 0 };
    await writeCheckpoint(folder, { ...start, inserted: start });
    await removeBefore(start.segment);
  }

  async function removeBefore(number: number): Promise<void> {
    while ((segments[0] as Segment).number < number) {
      const gone = segments.shift() as Segment;
      reader.forget(gone.number);
      await rm(gone.file, { force: true });
    }
  }

  return {
    released: { segment: released.segment, offset: released.offset },
    inserted,
    bytes: total,
    end,

    append(payload) {
      if (closed) return Promise.reject(new Error('the journal is closed'));
      const frame = dataFrame(payload);
      if (total() + frame.length > maxBytes || commits.waitingBytes() > maxWaiting) return Promise.reject(new JournalFull('the journal has reached its bound'));
      return commits.append(frame);
    },

    read: (from, bytes, until) => reader.read(segments, from, bytes, until),

    async release(upTo, stored = upTo) {
      await writeCheckpoint(folder, { segment: upTo.segment, offset: upTo.offset, inserted: stored });
      await removeBefore(upTo.segment);
      const allStored = !commits.isWriting() && !isBefore(upTo, end());
      if (allStored && !closed && file.last().bytes > idleBytes) await startAfresh();
    },

    async close() {
      closed = true;
      await commits.idle();
      await file.close();
    },
  };
}
