import type { Locale } from '../../../http/access';

type Words = {
  readonly beginning: (shown: string, all: string) => string;
  readonly rows: (shown: number) => string;
  readonly columns: (shown: number) => string;
  readonly empty: string;
  readonly encoding: string;
  readonly files: (files: number, folders: number) => string;
  readonly atLeast: (counted: number) => string;
  readonly unpacked: (bytes: string, ratio: string) => string;
  readonly listed: (shown: number) => string;
  readonly name: string;
  readonly size: string;
  readonly packed: string;
  readonly ratio: string;
  readonly encrypted: string;
  readonly outside: string;
  readonly damaged: string;
};

/** Texts of previews, which are pages of their own. */
export const previewWords: Readonly<Record<Locale, Words>> = {
  'zh-CN': {
    beginning: (shown, all) => `仅显示开头 ${shown}，共 ${all}`,
    rows: (shown) => `仅显示前 ${shown} 行`,
    columns: (shown) => `仅显示前 ${shown} 列`,
    empty: '文件是空的。',
    encoding: '编码',
    files: (files, folders) => `${files} 个文件，${folders} 个文件夹`,
    atLeast: (counted) => `条目过多，只统计了前 ${counted} 个`,
    unpacked: (bytes, ratio) => `解压后 ${bytes}，压缩比 ${ratio}`,
    listed: (shown) => `仅列出前 ${shown} 个`,
    name: '名称',
    size: '大小',
    packed: '压缩后',
    ratio: '压缩比',
    encrypted: '已加密',
    outside: '路径不安全',
    damaged: '压缩包已损坏或不完整，无法列出内容。',
  },
  en: {
    beginning: (shown, all) => `The first ${shown} of ${all}`,
    rows: (shown) => `The first ${shown} rows`,
    columns: (shown) => `The first ${shown} columns`,
    empty: 'The file is empty.',
    encoding: 'Encoding',
    files: (files, folders) => `${files} ${files === 1 ? 'file' : 'files'}, ${folders} ${folders === 1 ? 'folder' : 'folders'}`,
    atLeast: (counted) => `Too many entries: only the first ${counted} were counted`,
    unpacked: (bytes, ratio) => `${bytes} unpacked, ratio ${ratio}`,
    listed: (shown) => `The first ${shown} are listed`,
    name: 'Name',
    size: 'Size',
    packed: 'Packed',
    ratio: 'Ratio',
    encrypted: 'Encrypted',
    outside: 'Unsafe path',
    damaged: 'The archive is damaged or incomplete: its contents cannot be listed.',
  },
};
