import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { CsvError } from 'csv-parse';
import type { Entry } from 'yauzl';
import type { StoredFile } from '../../stores/files/storedFile';
import { openZip } from '../../stores/files/zip';
import { kindOf, openFile, Truncated } from './reader';

/** Longest line of a table; the longest column of an export is a URL. */
const longestRecord = 128 * 1024;

/** Limits: columns of a table, bytes per batch, tables of an archive, and archive entries examined. */
const mostColumns = 500;
const batchBytes = 4 * 2 ** 20;
const mostTables = 1000;
const mostEntries = 20_000;

/** A CSV file: plain, compressed, or an entry of a zip archive. */
export type Table = { readonly name: string; readonly open: () => Promise<Readable | AsyncIterable<Buffer>> };

/** The tables of a file; call `close` when done. A zip archive is read in place, entry by entry; entry names are never used as paths. */
export async function tablesOf(file: StoredFile, name: string): Promise<{ readonly tables: readonly Table[]; readonly close: () => void }> {
  if ((await kindOf(file)) !== 'zip') {
    return { tables: [{ name, open: async () => (await openFile(file, 0)).bytes }], close: () => undefined };
  }
  const zip = await openZip(file);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (/\.csv$/i.test(entry.fileName)) entries.push(entry);
    if (entries.length >= mostTables || zip.entriesRead >= mostEntries) break;
  }
  return {
    tables: entries.map((entry) => ({
      name: entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1),
      open: () => zip.openReadStreamPromise(entry),
    })),
    close: () => zip.close(),
  };
}

export type Row = Readonly<Record<string, string>>;
/** `line`: number of the record from 1, not counting the header. */
export type Record_ = { readonly line: number; readonly row: Row };

const headerName = (name: string): string =>
  name
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[ -]/g, '_');

/**
 * The rows of a table in batches, keyed by header names; invalid rows (different number of columns, unclosed quotes) are reported to `onBroken`. Throws
 * `Truncated` if the archive is damaged.
 */
export async function* rowsOf(table: Table, onBroken: (line: number) => void, perBatch = 2000): AsyncGenerator<Record_[]> {
  const source = await table.open();
  let line = 0;
  const parser = parse({
    columns: (names: string[]) => {
      // Rows with a hundred thousand column names each would exhaust memory.
      if (names.length > mostColumns) throw Object.assign(new Error('too many columns'), { code: 'CSV_INVALID_COLUMN_DEFINITION' });
      return names.map(headerName);
    },
    bom: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    skip_records_with_error: true,
  });
  parser.on('skip', (_error: CsvError | undefined) => {
    line += 1;
    onBroken(line);
  });
  let failure: unknown = null;
  const feeding = (async () => {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        if (parser.destroyed) return;
        if (!parser.write(chunk)) await new Promise<void>((resolve) => parser.once('drain', resolve).once('close', resolve));
      }
    } catch (error) {
      failure = error;
    }
    parser.end();
  })();
  let batch: Record_[] = [];
  let bytes = 0;
  try {
    for await (const row of parser as AsyncIterable<Row>) {
      line += 1;
      batch.push({ line, row });
      for (const value of Object.values(row)) bytes += value.length;
      if (batch.length >= perBatch || bytes >= batchBytes) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  } catch (error) {
    // An unclosed quotation mark consumes the rest of the file.
    line += 1;
    onBroken(line);
    failure ??= (error as { code?: string }).code?.startsWith('CSV_') ? null : error;
  } finally {
    parser.destroy();
  }
  if (batch.length > 0) yield batch;
  await feeding;
  if (failure !== null) throw asTruncated(failure);
}

/** Converts decompression errors to `Truncated`; other errors are returned unchanged. */
export const asTruncated = (failure: unknown): unknown =>
  failure instanceof Truncated || /zlib|inflate|unexpected end|invalid|too many bytes|not enough bytes/i.test(failure instanceof Error ? failure.message : '')
    ? new Truncated('the archive is damaged', { cause: failure })
    : failure;
