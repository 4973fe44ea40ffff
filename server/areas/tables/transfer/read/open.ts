import type { ReadOptions, TransferFormat } from '../../../../../contract/tables/transfers';
import { csvSource } from './csvSource';
import { jsonSource } from './jsonSource';
import { ReadStop } from './source';
import type { Source } from './source';
import { decodeHead, encodingOf, headOf } from './text';
import { xlsxSource } from './xlsxSource';

const beginsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** By the first bytes, not by the name; the name decides only whether text in brackets is JSON. */
function formatOf(head: Buffer, name: string, options: ReadOptions): TransferFormat {
  if (beginsWith(head, [0x50, 0x4b, 3, 4])) return 'xlsx';
  if (beginsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) throw new ReadStop('xls');
  if (beginsWith(head, [0x1f, 0x8b]) || beginsWith(head, [0x25, 0x50, 0x44, 0x46])) throw new ReadStop('binary');
  const begin = decodeHead(head, options.encoding ?? encodingOf(head)).trimStart();
  return /^[{[]/.test(begin) && !/\.(?:csv|tsv|tab|txt)$/i.test(name) ? 'json' : 'csv';
}

/** Opens a file for reading its rows. Throws `ReadStop` for what is no file of rows, or not what it was said to be. */
export async function openSource(file: string, name: string, options: ReadOptions): Promise<Source> {
  const head = await headOf(file);
  if (decodeHead(head, encodingOf(head)).trim() === '') throw new ReadStop('empty');
  const told = formatOf(head, name, options);
  const format = options.format ?? told;
  if ((format === 'xlsx') !== (told === 'xlsx')) throw new ReadStop('format');
  if (format === 'xlsx') return xlsxSource(file, options);
  return format === 'json' ? jsonSource(file, head, options) : csvSource(file, head, options);
}
