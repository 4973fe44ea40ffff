import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Position } from './checkpoint';
import { headBytes, readFrame } from './frames';
import type { Segment } from './recovery';

export type JournalRecord = { readonly payload: string; readonly columns: readonly string[] };
export type JournalBatch = { readonly records: readonly JournalRecord[]; readonly from: Position; readonly to: Position };

export type SegmentReader = {
  /** Durable records from a place on, at most about `bytes`, and none behind `until` where that is given. `to`: the place behind them. */
  readonly read: (segments: readonly Segment[], from: Position, bytes: number, until?: Position) => Promise<JournalBatch>;
  /** A segment is gone. */
  readonly forget: (number: number) => void;
};

type SegmentPart = { readonly records: readonly JournalRecord[]; readonly to: number };

/** `columns`: what the lists of a segment mean that does not say so itself. */
export function createSegmentReader(columns: readonly string[]): SegmentReader {
  /** What a segment's header says its records look like. */
  const columnsOf = new Map<number, readonly string[]>();

  async function readColumns(file: FileHandle, segment: Segment): Promise<readonly string[]> {
    const frame = readFrame(await readBytes(file, 0, Math.min(segment.bytes, 64 * 1024)), 0);
    const known = typeof frame === 'string' || frame.kind === 'skip' ? columns : columnsIn(frame.payload);
    columnsOf.set(segment.number, known);
    return known;
  }

  async function readSegment(segment: Segment, start: number, length: number): Promise<SegmentPart> {
    const file = await open(segment.file, 'r');
    try {
      let bytes = await readBytes(file, start, length);
      const records: JournalRecord[] = [];
      let at = 0;
      for (;;) {
        let frame = readFrame(bytes, at);
        if (frame === 'short' && records.length === 0 && start + bytes.length < segment.bytes) {
          // A single record larger than the stretch that is read.
          const needed = at + headBytes + (bytes.length >= at + headBytes ? bytes.readUInt32LE(at + 4) : 0);
          bytes = await readBytes(file, start, Math.min(Math.max(needed, bytes.length * 2), segment.bytes - start));
          frame = readFrame(bytes, at);
        }
        if (typeof frame === 'string') {
          if (frame === 'bad') throw new Error(`the journal is damaged: ${segment.file} at ${start + at}`);
          return { records, to: start + at };
        }
        if (frame.kind === 'data' && start + at === 0) columnsOf.set(segment.number, columnsIn(frame.payload));
        else if (frame.kind === 'data')
          records.push({ payload: frame.payload.toString(), columns: columnsOf.get(segment.number) ?? (await readColumns(file, segment)) });
        at = frame.to;
      }
    } finally {
      await file.close();
    }
  }

  return {
    forget: (number) => void columnsOf.delete(number),
    async read(segments, from, bytes, until) {
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
  };
}

const columnsIn = (header: Buffer): string[] => (JSON.parse(header.toString()) as { columns: string[] }).columns;

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
