import { transferLimits } from '../../../../contract/tables/transfers';
import type { ReadOptions } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import { checkSpace } from '../../../kit/uploads';
import { isMissing } from '../../../stores/files/types';
import { tableFileOf } from './archive';
import { openSource } from './read/open';
import { ReadStop } from './read/source';
import type { Cell, SourceRow } from './read/source';
import type { Spool } from './schema';
import { uploads } from './uploads';

/** Rows and bytes per chunk, which is read, checked and written at once. */
const chunkRows = 1000;
const chunkBytes = 4 * 2 ** 20;
/** Maximum bytes of all stored rows, since compressed files and sparse rows may expand a lot, and how much is written between checks of the disk space. */
const maxStoredBytes = 4 * transferLimits.fileBytes;
const lookAfter = 64 * 2 ** 20;

/** A stored row: its line in the file, why it cannot be read or '', its cells. */
export type StoredRow = { readonly line: number; readonly error: string; readonly cells: readonly Cell[] };
const lineOf = ({ line, error, cells }: SourceRow): string => `${JSON.stringify([line, error ?? '', ...cells])}\n`;

/**
 * Parses a file once into rows of texts stored beside it, which the dry run, the import and the preview read afterwards, starting at any chunk. Throws
 * `ReadStop` if the file cannot be read to its end. `tell` receives the progress from 0 to 1.
 */
export async function readIntoRows(
  ctx: Context,
  upload: { readonly id: string; readonly name: string; readonly size: number },
  options: ReadOptions,
  tell: (share: number) => Promise<void>,
): Promise<Spool> {
  const { file, name, size } = await tableFileOf(ctx, upload);
  const source = await openSource(file, name, options);
  const { format } = source.read;
  const chunkStarts: [number, number][] = [[0, 0]];
  let rows = 0;
  let bytes = 0;
  let begun = { rows: 0, bytes: 0 };
  let checked = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const batch of source.rows) {
      let text = '';
      for (const row of batch) {
        if (rows >= transferLimits.rows) throw new ReadStop('too_many_rows', { max: transferLimits.rows });
        const line = lineOf(row);
        text += line;
        rows += 1;
        bytes += Buffer.byteLength(line);
        if (rows - begun.rows < chunkRows && bytes - begun.bytes < chunkBytes) continue;
        begun = { rows, bytes };
        chunkStarts.push([rows, bytes]);
      }
      if (bytes > maxStoredBytes) throw new ReadStop('too_many_bytes', { max: maxStoredBytes / 2 ** 30 });
      if (bytes - checked > lookAfter) {
        checked = bytes;
        await checkSpace(ctx, lookAfter);
      }
      yield text;
      await tell(format === 'xlsx' ? source.bytesRead() : source.bytesRead() / size);
    }
  }
  try {
    // A later plan may read the file in another way.
    await ctx.files.put(uploads.key(upload.id, 'rows'), texts(), { replace: true });
    if (rows > begun.rows) chunkStarts.push([rows, bytes]);
    const names = [...source.names()];
    if (names.length === 0) throw new ReadStop('no_columns');
    return { read: source.read, names, rows, pieces: chunkStarts };
  } finally {
    source.close();
  }
}

/** Rows of one chunk. Throws `ReadStop` if they are no longer stored. */
export async function readChunk(ctx: Context, id: string, spool: Pick<Spool, 'pieces'>, part: number): Promise<StoredRow[]> {
  const [begin, end] = [spool.pieces[part]?.[1] ?? 0, spool.pieces[part + 1]?.[1] ?? 0];
  if (end <= begin) return [];
  let text = '';
  try {
    for await (const chunk of uploads
      .file(ctx, id, 'rows')
      .read({ start: begin, end: end - 1 })
      .setEncoding('utf8') as AsyncIterable<string>)
      text += chunk;
  } catch (error) {
    if (isMissing(error)) throw new ReadStop('file_gone');
    throw error;
  }
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [at, error, ...cells] = JSON.parse(line) as [number, string, ...Cell[]];
      return { line: at, error, cells };
    });
}
