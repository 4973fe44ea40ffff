import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import { recordActions, ruleRoles, tableLimits } from '../../../../contract/tables/terms';
import { headOf } from '../../../stores/files/storedFile';
import type { StoredFile } from '../../../stores/files/storedFile';
import { isMissing } from '../../../stores/files/types';
import type { FileTable } from '../schema';
import { FileLine, PartLine } from './backedUpFile';
import type { BackedUpFile } from './backedUpFile';
import type { RestoreError } from './schema';

/** Backup file of one table: lines of JSON, compressed with gzip; the first identifies it, the last marks the end. docs/en/record-files.md */
export const backupFormat = 'sitewright-table';

/** A rule that the file has closed because it named people or records of its site; `names` of those people. */
const ClosedRule = z.object({ role: z.enum(ruleRoles), action: z.enum(recordActions), names: z.array(z.string().max(200)).max(50) });
type ClosedRule = z.output<typeof ClosedRule>;
export type Header = {
  readonly format: typeof backupFormat;
  readonly version: 1 | 2;
  readonly madeAt: string;
  readonly siteId: string;
  readonly tableId: string;
  readonly table: FileTable;
  readonly trash: boolean;
  readonly closed: readonly ClosedRule[];
};

const Moment = z.iso.datetime();
const Whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Revision = z
  .int()
  .min(1)
  .max(2 ** 31 - 2);
const Values = z.record(z.string().max(80), z.unknown());
const Translations = z.record(z.string().max(40), Values);
const State = { updatedBy: z.uuid().optional(), values: Values, tr: Translations.optional() };
export const FileRecord = z.object({
  id: z.uuid(),
  n: Whole,
  ord: z.string().regex(/^-?\d{1,40}(?:\.\d{1,400})?$/),
  rev: Revision,
  createdAt: Moment,
  createdBy: z.uuid().optional(),
  updatedAt: Moment,
  deletedAt: Moment.optional(),
  publishedRev: Revision.optional(),
  publishedAt: Moment.optional(),
  publishAt: Moment.optional(),
  unpublishAt: Moment.optional(),
  /** Names of linked records, by id. */
  names: z.record(z.string(), z.string().max(1000)).optional(),
  /** The published state, if it differs from the current values. */
  published: z.object({ rev: Revision, updatedAt: Moment, ...State }).optional(),
  ...State,
});
export type FileRecord = z.output<typeof FileRecord>;
const Start = z.object({
  format: z.literal(backupFormat),
  version: z.int(),
  madeAt: Moment,
  siteId: z.string().max(40),
  tableId: z.string().max(40),
  table: z.record(z.string(), z.unknown()),
  trash: z.boolean(),
  /** Missing in files of earlier releases. */
  closed: z
    .array(ClosedRule)
    .max(ruleRoles.length * recordActions.length)
    .default([]),
});
const End = z.object({ end: z.literal(true), records: Whole });

/** A file that cannot be read; permanent, so not retried. */
export class FileStop extends Error {
  override readonly name = 'FileStop';
  readonly error: RestoreError;
  constructor(code: string, line?: number) {
    super(code);
    this.error = line === undefined ? { code } : { code, line };
  }
}

const codeOf = (error: unknown): string => (typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '');

/** Lines of a file, compressed or not. The total and each line are limited, whatever the compression ratio. `bytes`: bytes of the file read so far. */
async function* linesIn(file: StoredFile, read: { bytes: number }): AsyncGenerator<Buffer> {
  const head = await headOf(file, 2).catch((error: unknown) => {
    throw isMissing(error) ? new FileStop('file_gone') : error;
  });
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const source = file.read();
  source.on('data', (chunk: Buffer) => void (read.bytes += chunk.length));
  const gunzip = packed ? createGunzip() : null;
  if (gunzip) source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  let parts: Buffer[] = [];
  let length = 0;
  let all = 0;
  let line = 1;
  try {
    for await (const chunk of (gunzip ?? source) as AsyncIterable<Buffer>) {
      all += chunk.length;
      if (all > maintenanceLimits.unpackedBytes) throw new FileStop('too_large');
      for (let from = 0; ;) {
        const end = chunk.indexOf(10, from);
        const part = chunk.subarray(from, end === -1 ? undefined : end);
        length += part.length;
        if (length > maintenanceLimits.lineBytes) throw new FileStop('line_too_long', line);
        parts.push(part);
        if (end === -1) break;
        yield Buffer.concat(parts);
        [parts, length, from, line] = [[], 0, end + 1, line + 1];
      }
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'Z_BUF_ERROR') throw new FileStop('truncated', line);
    throw code.startsWith('Z_') ? new FileStop(line === 1 ? 'not_backup' : 'damaged', line) : error;
  } finally {
    source.destroy();
    gunzip?.destroy();
  }
  if (length > 0) yield Buffer.concat(parts);
}

function jsonOf(line: Buffer, at: number): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown;
  } catch {
    throw new FileStop(at === 1 ? 'not_backup' : 'not_json', at);
  }
}

/** Receives a file of the backup with its content (null: the backup has none), which need not be read. */
export type OnFile = (file: BackedUpFile, content: AsyncIterable<Buffer> | null) => Promise<void>;

export type Opened = {
  readonly header: z.output<typeof Start>;
  readonly records: AsyncGenerator<{ readonly line: number; readonly record: FileRecord; /** Size of its line. */ readonly bytes: number }>;
  readonly bytes: () => number;
  /** Files that were read so far: with content, its bytes, and without. */
  readonly files: () => { readonly brought: number; readonly bytes: number; readonly named: number };
  /** Closes the file. Reading all records, or stopping between two of them, does so too. */
  readonly close: () => Promise<void>;
};
/** Opens a file: its header, and its records one by one. Throws `FileStop` if it is invalid, also at its end. */
export async function openBackup(file: StoredFile, onFile?: OnFile): Promise<Opened> {
  const read = { bytes: 0 };
  const lines = linesIn(file, read);
  const begin = await lines.next();
  const start = begin.done ? null : jsonOf(begin.value, 1);
  const header = Start.safeParse(start);
  if (!header.success) {
    await lines.return(undefined);
    throw new FileStop('not_backup');
  }
  if (header.data.version !== 1 && header.data.version !== 2) {
    await lines.return(undefined);
    throw new FileStop('version');
  }
  const files = { brought: 0, bytes: 0, named: 0 };
  const position = { line: 1 };
  async function* contentOf(parts: number): AsyncGenerator<Buffer> {
    for (let part = 0; part < parts; part += 1) {
      const next = await lines.next();
      position.line += 1;
      const found = next.done ? null : PartLine.safeParse(jsonOf(next.value, position.line));
      if (!found?.success) throw new FileStop(next.done ? 'truncated' : 'damaged', position.line);
      yield Buffer.from(found.data.part, 'base64');
    }
  }
  async function readFile({ parts, ...described }: BackedUpFile): Promise<void> {
    const content = parts === null ? null : contentOf(parts);
    if (content === null) files.named += 1;
    else {
      files.brought += 1;
      files.bytes += described.bytes;
    }
    await onFile?.({ ...described, parts }, content && { [Symbol.asyncIterator]: () => content });
    // What was not read is skipped. (A generator that a loop has left would end here.)
    if (content) for (let next = await content.next(); !next.done; next = await content.next());
  }
  async function* records(): AsyncGenerator<{ line: number; record: FileRecord; bytes: number }> {
    let count = 0;
    let whole = false;
    for await (const text of lines) {
      position.line += 1;
      const { line } = position;
      if (whole) throw new FileStop('damaged', line);
      const value = jsonOf(text, line);
      const end = End.safeParse(value);
      if (end.success) {
        if (end.data.records !== count) throw new FileStop('truncated', line);
        whole = true;
        continue;
      }
      const described = count === 0 ? FileLine.safeParse(value) : null;
      if (described?.success) {
        await readFile(described.data.file);
        continue;
      }
      const record = FileRecord.safeParse(value);
      if (!record.success) throw new FileStop('record', line);
      count += 1;
      if (count > maintenanceLimits.records) throw new FileStop('too_many');
      yield { line, record: record.data, bytes: text.length };
    }
    if (!whole) throw new FileStop('truncated', position.line);
  }
  return { header: header.data, records: records(), bytes: () => read.bytes, files: () => files, close: async () => void (await lines.return(undefined)) };
}

/** Maximum bytes of one text value. */
export const mostText = tableLimits.textBytes;
