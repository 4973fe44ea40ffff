import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { headOf } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';

/** Longest line that is read; longer lines are counted and skipped. */
export const maxLine = 64 * 1024;

export type Kind = 'gzip' | 'zip' | 'plain';

/** Detected by the first bytes, not by the name. */
export async function kindOf(file: StoredFile): Promise<Kind> {
  const head = await headOf(file, 4);
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.toString('latin1') === 'PK\u0003\u0004' ? 'zip' : 'plain';
}

export type Opened = {
  /** Uncompressed, from `offset` on. Throws `Truncated` if a compressed file ends too early or is damaged. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Bytes read so far of the stored file. */
  readonly read: () => number;
  readonly close: () => void;
};

export class Truncated extends Error {
  override readonly name = 'Truncated';
}

/** Opens a file at a position of its uncompressed content; a compressed file is read from its beginning and skipped. */
export async function openFile(file: StoredFile, offset: number): Promise<Opened> {
  const compressed = (await kindOf(file)) === 'gzip';
  const start = compressed ? 0 : offset;
  const raw = file.read({ start });
  let read = start;
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      read += chunk.length;
      yield chunk;
    }
  }
  const stream = compressed ? pipeline(raw, counted, createGunzip({ chunkSize: 256 * 1024 }), () => undefined) : raw;
  async function* bytes(): AsyncGenerator<Buffer> {
    let skip = compressed ? offset : 0;
    try {
      for await (const chunk of (compressed ? stream : counted(raw)) as AsyncIterable<Buffer>) {
        if (skip >= chunk.length) skip -= chunk.length;
        else {
          yield skip === 0 ? chunk : chunk.subarray(skip);
          skip = 0;
        }
      }
    } catch (error) {
      if (compressed && ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_'))
        throw new Truncated('the compressed file is damaged or not whole', { cause: error });
      throw error;
    }
  }
  return { bytes: bytes(), read: () => read, close: () => void stream.destroy() };
}

/** The first `most` bytes; reads no further than needed. */
export async function* firstOf(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let remaining = most;
  for await (const chunk of bytes) {
    yield chunk.length <= remaining ? chunk : chunk.subarray(0, remaining);
    remaining -= chunk.length;
    if (remaining <= 0) return;
  }
}

/** One line without its line end. `text` is null if it is too long; `start` and `next`: positions in the uncompressed content. */
export type TextLine = { readonly text: string | null; readonly start: number; readonly next: number };

/**
 * The lines of a byte stream, in one batch per chunk with the lines that end in it (none within a very long line). Memory is bounded by one chunk and one line.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, from: number): AsyncGenerator<TextLine[]> {
  let rest: Buffer = Buffer.alloc(0);
  /** Start and state of the line that continues in the next chunk, also if it is too long to be stored. */
  let start = from;
  let tooLong = false;
  let at = from;
  const textOf = (buffer: Buffer, a: number, b: number): string => buffer.toString('utf8', a, b > a && buffer[b - 1] === 13 ? b - 1 : b);
  for await (const chunk of bytes) {
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const base = at - rest.length;
    at += chunk.length;
    const lines: TextLine[] = [];
    let begin = 0;
    for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, begin)) {
      const next = base + end + 1;
      lines.push({ text: tooLong || end - begin > maxLine ? null : textOf(buffer, begin, end), start, next });
      tooLong = false;
      begin = end + 1;
      start = next;
    }
    rest = buffer.subarray(begin);
    if (rest.length > maxLine) {
      tooLong = true;
      rest = Buffer.alloc(0);
    } else if (rest.length > 0) rest = Buffer.from(rest);
    yield lines;
  }
  if (rest.length > 0 || tooLong) yield [{ text: tooLong ? null : textOf(rest, 0, rest.length), start, next: at }];
}
