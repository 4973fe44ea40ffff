import type { ReadOptions, TransferFormat } from '../../../../../contract/tables/transfers';
import { decodeHead, encodingOf, headBytes } from '../../../../kit/text/decode';
import { headOf } from '../../../../stores/files/storedFile';
import type { StoredFile } from '../../../../stores/files/storedFile';
import { csvSource } from './csvSource';
import { jsonSource } from './jsonSource';
import { ReadStop } from './source';
import type { Source } from './source';
import { xlsxSource } from './xlsxSource';

const beginsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** Detected from the first bytes; the file name only decides whether bracketed text is JSON. */
function formatOf(head: Buffer, name: string, options: ReadOptions): TransferFormat {
  if (beginsWith(head, [0x50, 0x4b, 3, 4])) return 'xlsx';
  if (beginsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) throw new ReadStop('xls');
  if (beginsWith(head, [0x1f, 0x8b]) || beginsWith(head, [0x25, 0x50, 0x44, 0x46])) throw new ReadStop('binary');
  const begin = decodeHead(head, options.encoding ?? encodingOf(head)).trimStart();
  return /^[{[]/.test(begin) && !/\.(?:csv|tsv|tab|txt)$/i.test(name) ? 'json' : 'csv';
}

/** Opens a file to read its rows. Throws `ReadStop` if it contains no rows or is not of the stated format. */
export async function openSource(file: StoredFile, name: string, options: ReadOptions): Promise<Source> {
  const head = await headOf(file, headBytes);
  if (decodeHead(head, encodingOf(head)).trim() === '') throw new ReadStop('empty');
  const detected = formatOf(head, name, options);
  const format = options.format ?? detected;
  if ((format === 'xlsx') !== (detected === 'xlsx')) throw new ReadStop('format');
  if (format === 'xlsx') return xlsxSource(file, options);
  return format === 'json' ? jsonSource(file, head, options) : csvSource(file, head, options);
}
