import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile as OpenZip } from 'yauzl';
import { ZipFile } from 'yazl';
import { themeLimits } from '../../../../contract/publishing/theme';
import type { ThemeProblem } from '../../../../contract/publishing/themeFiles';
import { isThemePath } from '../../../../contract/publishing/themePaths';
import type { ThemeProblemCode } from '../../../../contract/publishing/terms';
import { isFolder, isSystemFile } from '../../../stores/files/zip';

/** A file that is packed; opened when its turn comes. */
export type PackedFile = { readonly path: string; readonly updatedAt: Date; readonly open: () => Readable };

/** A ZIP archive of files, streamed: they are read one after the other. */
export function packTheme(files: readonly PackedFile[]): Readable {
  const zip = new ZipFile();
  const out = new PassThrough();
  let reading: Readable | null = null;
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  zip.outputStream.pipe(out);
  for (const { path, updatedAt, open } of files)
    zip.addReadStreamLazy(path, { mtime: updatedAt }, (ready) => {
      // yazl does not listen to errors of a file.
      reading = open().once('error', fail);
      ready(null, reading);
    });
  zip.end();
  out.once('close', () => reading?.destroy());
  return out;
}

/** Uncompressed bytes per compressed byte, of an entry larger than 64 KiB: text compresses to a tenth, a bomb to a thousandth. */
const mostRatio = 200;
/** The file type in the upper half of the attributes, which archives from Unix have. */
const isLink = ({ externalFileAttributes }: Entry): boolean => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

export type Unpacked = { readonly files: ReadonlyMap<string, Buffer> } | { readonly problems: readonly ThemeProblem[] };
const refused = (path: string, code: ThemeProblemCode, detail = ''): ThemeProblem => ({ path, line: null, column: null, code, detail });

/** The folder that contains the whole theme, as archives of a folder have it; empty if there is none. */
function rootOf(entries: readonly Entry[]): string {
  const roots = new Set(entries.map(({ fileName }) => fileName.slice(0, fileName.indexOf('/') + 1)));
  const [root = ''] = roots;
  return roots.size === 1 && entries.some(({ fileName }) => fileName === `${root}theme.json`) ? root : '';
}

/** Problems of the entries by what the archive says about them, before anything is unpacked. */
function checkEntries(entries: readonly Entry[], root: string): ThemeProblem[] {
  if (entries.length > themeLimits.files) return [refused('', 'too_many', String(entries.length))];
  const known = new Set<string>();
  const problems: ThemeProblem[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const path = entry.fileName.slice(root.length);
    const { compressedSize, uncompressedSize: size } = entry;
    bytes += size;
    if (!isThemePath(path) || isLink(entry) || entry.isEncrypted() || known.has(path.toLowerCase())) problems.push(refused(path.slice(0, 300), 'path'));
    else if (size > themeLimits.fileBytes || (size > 65_536 && size > compressedSize * mostRatio)) problems.push(refused(path, 'too_large', String(size)));
    known.add(path.toLowerCase());
  }
  return bytes > themeLimits.bytes ? [refused('', 'too_large', String(bytes))] : problems.slice(0, 100);
}

async function listEntries(zip: OpenZip): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isFolder(entry) || isSystemFile(entry)) continue;
    entries.push(entry);
    if (entries.length > themeLimits.files) break;
  }
  return entries;
}

/** Names that lead out of the folder end the reading of an archive. */
const outside = /^(?:absolute path|invalid relative path|invalid characters in fileName)/;

/** Reads a theme from a ZIP archive. Nothing is unpacked unless all of it is allowed; sizes that the archive states falsely are found while unpacking. */
export async function unpackTheme(archive: Buffer): Promise<Unpacked> {
  try {
    const zip = await fromBufferPromise(archive);
    if (zip.entryCount > themeLimits.files * 4) return { problems: [refused('', 'too_many', String(zip.entryCount))] };
    const entries = await listEntries(zip);
    const root = rootOf(entries);
    const problems = checkEntries(entries, root);
    if (problems.length > 0) return { problems };
    const files = new Map<string, Buffer>();
    for (const entry of entries) files.set(entry.fileName.slice(root.length), await buffer(await zip.openReadStreamPromise(entry)));
    return { files };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [refused('', outside.test(message) ? 'path' : 'not_a_zip', message.slice(0, 300))] };
  }
}
