import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { resourceRoot } from '../../../../contract/resources/alias';
import { transferLimits } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import { checkSpace } from '../../../kit/uploads';
import { headOf } from '../../../stores/files/storedFile';
import type { StoredFile } from '../../../stores/files/storedFile';
import { isFolder, isSystemFile, openZip } from '../../../stores/files/zip';
import { uploadOf, uploads } from './uploads';
import type { ImportRow } from './queries';
import { ReadStop } from './read/source';
import { uuidPattern } from '../../../../contract/uuid';

/** Folder of the files in an archive, each in a folder named by the id of its resource. */
const filesFolder = resourceRoot.slice(1);
/** What is known of the files of an archive, one line of JSON for each. */
export const detailsName = `${filesFolder}/files.jsonl`;
export const archivedName = (id: string, name: string): string => `${filesFolder}/${id}/${name}`;

const fileName = new RegExp(String.raw`^${filesFolder}/(${uuidPattern})/([^/]+)$`);
const tableName = /^[^/]+\.(?:csv|tsv|txt)$/i;
/** Parts of workbooks, which are archives too. */
const workbookPart = /^(?:\[Content_Types\]\.xml$|xl\/|Index\/)/i;

/** Bytes of an entry for each packed one, where it has more than a megabyte. Files in exports are not packed. */
const mostRatio = 200;
const mostDetailsBytes = 64 * 2 ** 20;
/** Bytes of the directory, whose names, fields and comments have up to 64 KB each. */
const mostDirectoryBytes = 32 * 2 ** 20;

/** An export as an archive: one table, and the files that its records use, by the ids under which the table names them. */
export type Archive = {
  readonly zip: ZipFile;
  readonly table: Entry;
  readonly files: ReadonlyMap<string, { readonly entry: Entry; readonly name: string }>;
  readonly details: Entry | null;
};

const broken = (): ReadStop => new ReadStop('archive');
const tooLarge = (): ReadStop => new ReadStop('archive_too_large', { max: transferLimits.archivedBytes / 2 ** 30, row: transferLimits.archivedFiles });

/** Whether an archive is damaged: errors of yauzl are plain, those of zlib have a code; others are of the store. */
const isDamage = (error: unknown): boolean => error instanceof Error && ('code' in error ? String(error.code).startsWith('Z_') : error.constructor === Error);

/** Entries by their names, without the folder in which all of them may be; null for a workbook. Throws `ReadStop` beyond the limits. */
async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry> | null> {
  const found: Entry[] = [];
  let bytes = 0;
  let directory = 0;
  for await (const entry of zip.eachEntry()) {
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directory > mostDirectoryBytes) throw tooLarge();
    if (workbookPart.test(entry.fileName)) return null;
    if (isFolder(entry) || isSystemFile(entry)) continue;
    bytes += entry.uncompressedSize;
    if (found.push(entry) > transferLimits.archivedFiles + 2 || bytes > transferLimits.archivedBytes) throw tooLarge();
  }
  const [first = ''] = found[0]?.fileName.split('/') ?? [];
  const folder = first !== filesFolder && found.every(({ fileName: name }) => name.startsWith(`${first}/`)) ? `${first}/` : '';
  const entries = new Map(found.map((entry) => [entry.fileName.slice(folder.length), entry]));
  if (entries.size < found.length) throw broken();
  return entries;
}

function checkEntry({ uncompressedSize, compressedSize, generalPurposeBitFlag }: Entry): void {
  const isEncrypted = (generalPurposeBitFlag & 1) !== 0;
  if (isEncrypted) throw broken();
  if (uncompressedSize > 2 ** 20 && uncompressedSize > mostRatio * compressedSize) throw tooLarge();
}

function archiveOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  const files = new Map<string, { entry: Entry; name: string }>();
  let table: Entry | null = null;
  let details: Entry | null = null;
  for (const [path, entry] of entries) {
    const [, id, name = ''] = fileName.exec(path) ?? [];
    if (id !== undefined && !files.has(id)) {
      checkEntry(entry);
      files.set(id, { entry, name });
    } else if (path === detailsName && entry.uncompressedSize <= mostDetailsBytes) {
      checkEntry(entry);
      details = entry;
    } else if (table === null && tableName.test(path) && entry.uncompressedSize <= transferLimits.fileBytes) table = entry;
    else throw broken();
  }
  if (table === null || (table.generalPurposeBitFlag & 1) !== 0) throw broken();
  return { zip, table, files, details };
}

/**
 * Opens an uploaded export as a ZIP; close its `zip` when done. Null if the file is none, such as a workbook. Throws `ReadStop` if its entries are not those of
 * an export, or are too many or too large.
 */
export async function openArchive(file: StoredFile, name: string): Promise<Archive | null> {
  if ((await headOf(file, 4)).toString('latin1') !== 'PK\u0003\u0004') return null;
  let zip: ZipFile | null = null;
  let archive: Archive | null = null;
  try {
    zip = await openZip(file);
    const entries = await entriesOf(zip);
    return (archive = entries && archiveOf(zip, entries));
  } catch (error) {
    if (!(error instanceof ReadStop || isDamage(error))) throw error;
    // Names that lead out of their folder, or a directory that cannot be read: only a file that says so is an archive.
    if (/\.zip$/i.test(name)) throw error instanceof ReadStop ? error : broken();
    return null;
  } finally {
    if (archive === null) zip?.close();
  }
}

/** The content of an entry. Throws `ReadStop` if it is not as the directory of the archive says. */
export async function* contentOf({ zip }: Pick<Archive, 'zip'>, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  let bytes = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw isDamage(error) ? broken() : error;
  }
  if (bytes !== entry.uncompressedSize || sum !== entry.crc32) throw broken();
}

export type TableFile = { readonly file: StoredFile; readonly name: string; readonly size: number };
/** Part of an upload that is the table of its archive. */
const tablePart = 'table.csv';

/** The file with the rows of an import: the upload itself, or the table of an archive, which is unpacked beside it once. */
export async function tableFileOf(ctx: Context, { id, name, size }: Pick<ImportRow, 'id' | 'name' | 'size'>): Promise<TableFile> {
  const table = uploads.file(ctx, id, tablePart);
  const known = await table.stat();
  if (known) return { file: table, name: tablePart, size: known.size };
  const archive = await openArchive(uploadOf(ctx, id), name);
  if (archive === null) return { file: uploadOf(ctx, id), name, size };
  try {
    await checkSpace(ctx, archive.table.uncompressedSize);
    await ctx.files.put(uploads.key(id, tablePart), contentOf(archive, archive.table), { replace: true });
    return { file: table, name: tablePart, size: archive.table.uncompressedSize };
  } finally {
    archive.zip.close();
  }
}

/** Deletes what an import no longer needs once it has ended: its file, and the table of an archive. */
export async function removeFiles(ctx: Context, id: string): Promise<void> {
  for (const part of ['upload', tablePart]) await uploads.removePart(ctx, id, part);
}
