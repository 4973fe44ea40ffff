import { RandomAccessReader, fromRandomAccessReaderPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import type { Readable } from 'node:stream';
import { bytesOf } from './storedFile';
import type { StoredFile } from './storedFile';

/** Bytes fetched per read: an archive's directory is parsed in many small steps, which would otherwise be a request each. */
const aheadBytes = 64 * 1024;

type Named = Pick<Entry, 'fileName'>;
export const isFolder = ({ fileName }: Named): boolean => fileName.endsWith('/');
/** What operating systems add to archives. */
export const isSystemFile = ({ fileName }: Named): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(fileName);

class StoredFileReader extends RandomAccessReader {
  readonly #file: StoredFile;
  #ahead: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.read({ start, end: end - 1 });
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    void this.#bytesAt(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        process.nextTick(callback, bytes.length < length ? new Error('unexpected EOF') : null);
      },
      (error: unknown) => process.nextTick(callback, error),
    );
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#ahead;
    if (position >= start && position + length <= start + bytes.length) return bytes.subarray(position - start, position - start + length);
    const end = position + Math.max(length, aheadBytes) - 1;
    this.#ahead = { start: position, bytes: await bytesOf(this.#file, { start: position, end }) };
    return this.#ahead.bytes.subarray(0, length);
  }
}

/**
 * Opens an archive without unpacking it; close it when done. Throws if it is none, or incomplete. Without `decodeStrings`, names are neither decoded nor checked:
 * only `fileNameRaw` may be used.
 */
export async function openZip(file: StoredFile, { decodeStrings = true }: { readonly decodeStrings?: boolean } = {}): Promise<ZipFile> {
  const size = (await file.stat())?.size ?? 0;
  return fromRandomAccessReaderPromise(new StoredFileReader(file), size, { autoClose: false, lazyEntries: true, decodeStrings });
}
