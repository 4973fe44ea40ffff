import type { Locale } from '../../../http/access';
import type { FieldError } from '../../../http/failure';
import { errorMessageFor } from '../../../http/messages';
import { errorText } from '../core/values/errorTexts';
import { Failure } from '../../../http/failure';
import type { ReadError, StoredError } from './schema';
import { ReadStop } from './read/source';

type Say = (error: Required<Pick<ReadError, 'line' | 'max' | 'row'>> & { readonly text: string }) => string;
/** Messages for why reading a file or an import stopped. */
const stops: Readonly<Record<string, { readonly 'zh-CN': Say; readonly en: Say }>> = {
  empty: { 'zh-CN': () => '文件是空的。', en: () => 'The file is empty.' },
  no_columns: { 'zh-CN': () => '文件里没有任何列。', en: () => 'There are no columns in the file.' },
  xls: {
    'zh-CN': () => '这是旧版 Excel 文件（.xls），请另存为 .xlsx 后再导入。',
    en: () => 'This is an old Excel file (.xls). Save it as .xlsx and import that.',
  },
  numbers: {
    'zh-CN': () => '这是 Numbers 文件，请导出为 .xlsx 或 CSV 后再导入。',
    en: () => 'This is a Numbers file. Export it as .xlsx or CSV and import that.',
  },
  binary: { 'zh-CN': () => '这不是 CSV、XLSX、JSON 或 ZIP 文件。', en: () => 'This is not a CSV, XLSX, JSON or ZIP file.' },
  format: { 'zh-CN': () => '文件内容与所选格式不符。', en: () => 'The file is not of the chosen format.' },
  sheet: { 'zh-CN': () => '工作簿里没有这个工作表。', en: () => 'The workbook has no such sheet.' },
  xlsx: { 'zh-CN': () => '工作簿已损坏，或有密码保护，无法读取。', en: () => 'The workbook is damaged or protected by a password, and cannot be read.' },
  xlsx_too_large: {
    'zh-CN': ({ max }) => `工作簿解压后过大（上限 ${max} MB），请另存为 CSV 后再导入。`,
    en: ({ max }) => `The workbook is too large when unpacked (at most ${max} MB). Save it as CSV and import that.`,
  },
  archive: {
    'zh-CN': () => 'ZIP 里应只有一个 CSV 文件，以及导出时附带的 _r 文件夹；这个文件不是这样，或者已经损坏。',
    en: () => 'A ZIP must contain one CSV file and, beside it, the folder _r of an export. This one does not, or is damaged.',
  },
  archive_too_large: {
    'zh-CN': ({ max, row }) => `ZIP 解压后过大：最多 ${max} GB、${row} 个文件。请分批导出再导入。`,
    en: ({ max, row }) => `The ZIP is too large when unpacked: at most ${max} GB and ${row} files. Export and import it in parts.`,
  },
  too_many_rows: {
    'zh-CN': ({ max }) => `文件超过 ${max} 行，请拆分后再导入。`,
    en: ({ max }) => `The file has more than ${max} rows. Split it and import the parts.`,
  },
  too_many_bytes: {
    'zh-CN': ({ max }) => `文件展开后超过 ${max} GB，请拆分后再导入。`,
    en: ({ max }) => `What is in the file is larger than ${max} GB. Split it and import the parts.`,
  },
  row_too_long: {
    'zh-CN': ({ line }) => `从第 ${line} 行开始的一条记录超过 16 MB，无法读取。`,
    en: ({ line }) => `The record that begins in line ${line} is larger than 16 MB.`,
  },
  quote_open: { 'zh-CN': ({ line }) => `第 ${line} 行的引号一直没有闭合。`, en: ({ line }) => `The quote opened in line ${line} is never closed.` },
  json: { 'zh-CN': ({ line }) => `第 ${line} 行附近不是有效的 JSON。`, en: ({ line }) => `Near line ${line} the file is not valid JSON.` },
  json_end: {
    'zh-CN': ({ line }) => `文件在第 ${line} 行开始的记录中途结束。`,
    en: ({ line }) => `The file ends within the record that begins in line ${line}.`,
  },
  faults: {
    'zh-CN': ({ row }) => `有 ${row} 行存在问题，没有写入任何内容。请修正文件，或选择跳过有问题的行。`,
    en: ({ row }) => `${row} rows have errors, and nothing was written. Correct the file, or skip the rows with errors.`,
  },
  late_fault: {
    'zh-CN': ({ line }) => `检查之后表中的内容有变化，第 ${line} 行无法写入，导入已停止。可以撤销，或跳过有问题的行继续。`,
    en: ({ line }) => `Records changed after the check: line ${line} could not be written, and the import stopped. Undo it, or continue and skip such rows.`,
  },
  too_many_own: {
    'zh-CN': ({ max }) => `未完成的导入最多 ${max} 个，请先完成或删除一些。`,
    en: ({ max }) => `A person may have ${max} unfinished imports at most. Finish or delete some first.`,
  },
  too_many_here: {
    'zh-CN': ({ max }) => `此站点未完成的导入已达 ${max} 个，请先完成或删除一些。`,
    en: ({ max }) => `The site has ${max} unfinished imports, which is the most. Finish or delete some first.`,
  },
  file_gone: { 'zh-CN': () => '导入文件已被清理，请重新上传。', en: () => 'The file is not kept any more. Upload it again.' },
};
export function stopText(error: ReadError, locale: Locale): string {
  const { line = 0, max = 0, row = 0, text = '' } = error;
  return stops[error.code]?.[locale]({ line, max, row, text }) ?? errorMessageFor('internal', locale);
}
/** Turns a read error into an error response with its message. */
export const stopFailure = (error: unknown, locale: Locale): unknown =>
  error instanceof ReadStop
    ? new Failure('invalid_fields', { fields: { file: { code: 'pattern', message: stopText(error.error, locale) } }, cause: error })
    : error;

/** Messages for errors of a row as a whole. */
const rowMessages: Readonly<Record<string, { readonly 'zh-CN': string; readonly en: string }>> = {
  quote: { 'zh-CN': '引号之后还有内容，这一行无法读取', en: 'There is text behind a closing quote: the line cannot be read' },
  quote_open: { 'zh-CN': '这一行的引号一直没有闭合', en: 'The quote opened in this line is never closed' },
  json: { 'zh-CN': '不是有效的 JSON', en: 'Not valid JSON' },
  number_too_large: { 'zh-CN': '数字过大，无法保存', en: 'A number is too large to be kept' },
  too_deep: { 'zh-CN': '嵌套层数过多', en: 'It is nested too deeply' },
  not_an_object: { 'zh-CN': '不是一个 JSON 对象', en: 'Not a JSON object' },
  too_large: { 'zh-CN': '整条记录过大', en: 'The record is too large' },
  forbidden: { 'zh-CN': '没有权限写入这条记录', en: 'You may not write this record' },
  several: { 'zh-CN': '有多条记录与之匹配', en: 'Several records match' },
  twice: { 'zh-CN': '与文件中前面的行重复', en: 'An earlier row of the file has the same' },
  conflict: { 'zh-CN': '与现有内容冲突', en: 'Conflicts with something that exists' },
};
/** For a unique value handed over between rows too far apart to be written together. */
const heldText: Record<Locale, (line: number) => string> = {
  'zh-CN': (line) => `现为第 ${line} 行那条记录的值，两行相距太远，无法互换；请把它们放近一些，或分两次导入`,
  en: (line) => `The record of line ${line} has this value, and is too far away to hand it on. Move the lines closer together, or import twice`,
};
export function rowErrorText({ code, missing = [], line, type, ...limits }: StoredError, locale: Locale): string {
  if (code === 'taken' && line !== undefined) return heldText[locale](line);
  const own = rowMessages[code]?.[locale];
  // Error codes of fields and rows share a column; those of fields have their own messages.
  const text = own ?? errorText({ ...limits, code } as FieldError, locale, type);
  const titles = missing.slice(0, 5).join(locale === 'en' ? ', ' : '、');
  return titles === '' ? text : locale === 'en' ? `${text}: ${titles}` : `${text}：${titles}`;
}

/** Notes about a file. */
export const notes = {
  merged: (refs: readonly string[], locale: Locale): string =>
    locale === 'en'
      ? `Merged cells (${refs.slice(0, 5).join(', ')}${refs.length > 5 ? '…' : ''}): only the first cell of each has a value.`
      : `有合并单元格（${refs.slice(0, 5).join('、')}${refs.length > 5 ? '……' : ''}），只有每处的第一个单元格有值。`,
  twice: (names: readonly string[], locale: Locale): string =>
    locale === 'en' ? `Columns with the same name: ${names.slice(0, 5).join(', ')}` : `列名重复：${names.slice(0, 5).join('、')}`,
  undecoded: (locale: Locale): string =>
    locale === 'en' ? 'Some bytes are no text in this encoding. Try another one.' : '部分内容无法按此编码识别，请换一种编码试试。',
  tooWide: (most: number, locale: Locale): string => (locale === 'en' ? `Columns after the first ${most} are left aside.` : `只读取前 ${most} 列。`),
  broken: (lines: readonly number[], locale: Locale): string =>
    locale === 'en' ? `Lines that cannot be read: ${lines.join(', ')}` : `无法读取的行：第 ${lines.join('、')} 行`,
} as const;

export const errorColumns = {
  'zh-CN': { line: '行号', reason: '原因' },
  en: { line: 'Line', reason: 'Reason' },
} as const;
