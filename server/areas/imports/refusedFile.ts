import { stringify } from 'csv-stringify/sync';
import type { ImportReason } from '../../../contract/imports/schemas';
import { safeCell } from '../../csv';
import type { Locale } from '../../http/access';
import { reportOf } from './progress';
import type { Progress } from './progress';

const columns = {
  'zh-CN': ['原因', '行数', '示例所在文件', '示例行号', '示例（地址已遮蔽）'],
  en: ['Reason', 'Lines', 'File of the example', 'Line of the example', 'Example (addresses masked)'],
};

/** Labels in the file; the console has longer ones. */
export const reasonTexts: Readonly<Record<ImportReason, { readonly 'zh-CN': string; readonly en: string }>> = {
  method: { 'zh-CN': '请求方法不是 GET', en: 'Not a GET request' },
  status: { 'zh-CN': '状态码不是 2xx 或 304', en: 'Status other than 2xx or 304' },
  asset: { 'zh-CN': '静态资源或下载文件', en: 'Static file or download' },
  own_path: { 'zh-CN': '统计程序自身的地址', en: 'Address of the analytics itself' },
  other_host: { 'zh-CN': '其他域名', en: 'Another host name' },
  event_data: { 'zh-CN': '事件属性（已并入事件）', en: 'Property of an event (joined to it)' },
  not_a_line: { 'zh-CN': '格式不符', en: 'Not a line of this format' },
  too_long: { 'zh-CN': '行过长（超过 64 KB）', en: 'Line longer than 64 KB' },
  bad_time: { 'zh-CN': '时间无法识别', en: 'Time cannot be read' },
  future: { 'zh-CN': '时间在未来', en: 'Time lies in the future' },
  bad_address: { 'zh-CN': '网址无法识别', en: 'Address cannot be read' },
  bad_row: { 'zh-CN': '表格行不完整', en: 'Broken table row' },
  bad_number: { 'zh-CN': '数值无法识别', en: 'Figure cannot be read' },
  no_keyword: { 'zh-CN': '没有搜索词', en: 'No search term' },
  truncated: { 'zh-CN': '压缩文件损坏或不完整', en: 'Compressed file damaged or cut short' },
};

/** RFC 4180 with a byte order mark, without which Excel misreads Chinese text. */
export function refusedCsv(progress: Progress | null, locale: Locale): string {
  const rows = (progress === null ? [] : reportOf(progress).refused).flatMap(({ reason, count, samples }) => {
    const message = reasonTexts[reason][locale];
    return samples.length === 0
      ? [[message, String(count), '', '', '']]
      : samples.map(({ file, line, text }) => [message, String(count), safeCell(file), String(line), safeCell(text)]);
  });
  return stringify([columns[locale], ...rows], { bom: true, record_delimiter: '\r\n' });
}
