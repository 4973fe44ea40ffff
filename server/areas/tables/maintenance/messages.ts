import type { Locale } from '../../../http/access';
import { errorMessageFor } from '../../../http/messages';
import type { RestoreError } from './schema';

type Say = (line: number) => string;
/** Messages for why a backup cannot be read or a restore stopped. */
const stops: Readonly<Record<string, Readonly<Record<Locale, Say>>>> = {
  not_backup: { 'zh-CN': () => '这不是内容表的备份文件。', en: () => 'This is not a backup of a content table.' },
  version: {
    'zh-CN': () => '备份由更新的版本生成，请先升级再还原。',
    en: () => 'The backup was made by a newer version. Upgrade, then restore it.',
  },
  truncated: { 'zh-CN': () => '备份文件不完整，请重新下载或上传。', en: () => 'The backup is not complete. Download or upload it again.' },
  damaged: { 'zh-CN': (line) => `备份文件在第 ${line} 行附近已损坏。`, en: (line) => `The backup is damaged near line ${line}.` },
  line_too_long: { 'zh-CN': (line) => `第 ${line} 行超过 8 MB，无法读取。`, en: (line) => `Line ${line} is larger than 8 MB.` },
  not_json: { 'zh-CN': (line) => `第 ${line} 行不是有效的 JSON。`, en: (line) => `Line ${line} is not valid JSON.` },
  record: { 'zh-CN': (line) => `第 ${line} 行不是一条记录。`, en: (line) => `Line ${line} is not a record.` },
  too_many: { 'zh-CN': () => '备份超过 1 000 000 条记录，无法还原。', en: () => 'The backup has more than 1 000 000 records.' },
  too_large: { 'zh-CN': () => '备份解压后超过 8 GB，无法还原。', en: () => 'The backup is larger than 8 GB when unpacked.' },
  definition: { 'zh-CN': () => '备份里的表结构无效。', en: () => 'The definition in the backup is not valid.' },
  only_one: { 'zh-CN': () => '单条内容的表只能有一条记录。', en: () => 'A table for a single record cannot have several.' },
  file_gone: { 'zh-CN': () => '备份文件已被清理，请重新上传。', en: () => 'The file is not kept any more. Upload it again.' },
};
export const stopText = ({ code, line = 0 }: RestoreError, locale: Locale): string => stops[code]?.[locale](line) ?? errorMessageFor('internal', locale);
