import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import { isFolder, isSystemFile, openZip } from '../../stores/files/zip';
import type { StoredFile } from '../../stores/files/storedFile';

/** A source that cannot be read; trying again changes nothing. `code` names the reason (`messages.ts`). */
export class SourceStop extends Error {
  override readonly name = 'SourceStop';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Bytes as they arrive, at most `most` of them. Throws `SourceStop`. */
export function limitedTo(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new SourceStop('too_large'));
      else done(null, chunk);
    },
  });
}

/** A stream read to its end. Throws `SourceStop` beyond `most` bytes. */
export async function wholeOf(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) {
      stream.destroy();
      throw new SourceStop('too_large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export type Archive = {
  /** Names of all files, in the order of the archive. */
  readonly names: readonly string[];
  readonly sizeOf: (name: string) => number;
  readonly has: (name: string) => boolean;
  readonly stream: (name: string) => Promise<Readable>;
  /** Throws `SourceStop` if the file has more than `most` bytes. */
  readonly read: (name: string, most: number) => Promise<Buffer>;
  readonly close: () => void;
};

/** The file type in the upper half of the attributes, which archives from Unix have. */
const isLink = ({ externalFileAttributes }: Entry): boolean => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
const isOutside = (name: string): boolean => name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..');

/** Refuses what the entries of an archive say about themselves, before anything is unpacked. */
function checkEntry(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize: size } = entry;
  if (isOutside(fileName) || isLink(entry)) throw new SourceStop('unsafe_path');
  if (entry.isEncrypted()) throw new SourceStop('encrypted');
  if (size > limits.entryBytes || (size > 65_536 && size > compressedSize * limits.ratio)) throw new SourceStop('bomb');
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (isFolder(entry) || isSystemFile(entry)) continue;
    checkEntry(entry);
    bytes += entry.uncompressedSize;
    if (bytes > limits.unpackedBytes) throw new SourceStop('bomb');
    if (entries.size >= limits.entries) throw new SourceStop('too_many_files');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/** Opens an uploaded ZIP archive. Names that lead out of it, links, encryption and bombs are refused; a size that is stated falsely is found while reading. */
export async function openArchive(file: StoredFile): Promise<Archive> {
  let zip: ZipFile;
  try {
    zip = await openZip(file);
  } catch {
    throw new SourceStop('damaged');
  }
  try {
    const entries = await entriesOf(zip);
    const entryOf = (name: string): Entry => {
      const entry = entries.get(name);
      if (!entry) throw new SourceStop('damaged');
      return entry;
    };
    const stream = (name: string): Promise<Readable> => zip.openReadStreamPromise(entryOf(name));
    return {
      names: [...entries.keys()],
      sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
      has: (name) => entries.has(name),
      stream,
      read: async (name, most) => {
        if (entryOf(name).uncompressedSize > most) throw new SourceStop('too_large');
        return wholeOf(await stream(name), most);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    if (error instanceof SourceStop) throw error;
    const message = error instanceof Error ? error.message : '';
    throw new SourceStop(/^(?:absolute path|invalid relative path|invalid characters in fileName)/.test(message) ? 'unsafe_path' : 'damaged');
  }
}
