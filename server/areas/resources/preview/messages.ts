import type { Locale } from '../../../http/access';

type PreviewTexts = {
  readonly beginning: (visible: string, all: string) => string;
  readonly rows: (visible: number) => string;
  readonly columns: (visible: number) => string;
  readonly empty: string;
  readonly encoding: string;
  readonly files: (files: number, folders: number) => string;
  readonly atLeast: (counted: number) => string;
  readonly unpacked: (bytes: string, ratio: string) => string;
  readonly listed: (visible: number) => string;
  readonly name: string;
  readonly size: string;
  readonly packed: string;
  readonly ratio: string;
  readonly encrypted: string;
  readonly outside: string;
  readonly damaged: string;
};

/** Texts of previews, which are pages of their own. */
export const previewTexts: Readonly<Record<Locale, PreviewTexts>> = {
  'zh-CN': {
    beginning: (visible, all) => `仅显示开头 ${visible}，共 ${all}`,
    rows: (visible) => `仅显示前 ${visible} 行`,
    columns: (visible) => `仅显示前 ${visible} 列`,
    empty: '文件是空的。',
    encoding: '编码',
    files: (files, folders) => `${files} 个文件，${folders} 个文件夹`,
    atLeast: (counted) => `条目过多，只统计了前 ${counted} 个`,
    unpacked: (bytes, ratio) => `解压后 ${bytes}，压缩比 ${ratio}`,
    listed: (visible) => `仅列出前 ${visible} 个`,
    name: '名称',
    size: '大小',
    packed: '压缩后',
    ratio: '压缩比',
    encrypted: '已加密',
    outside: '路径不安全',
    damaged: '压缩包已损坏或不完整，无法列出内容。',
  },
  en: {
    beginning: (visible, all) => `The first ${visible} of ${all}`,
    rows: (visible) => `The first ${visible} rows`,
    columns: (visible) => `The first ${visible} columns`,
    empty: 'The file is empty.',
    encoding: 'Encoding',
    files: (files, folders) => `${files} ${files === 1 ? 'file' : 'files'}, ${folders} ${folders === 1 ? 'folder' : 'folders'}`,
    atLeast: (counted) => `Too many entries: only the first ${counted} were counted`,
    unpacked: (bytes, ratio) => `${bytes} unpacked, ratio ${ratio}`,
    listed: (visible) => `The first ${visible} are listed`,
    name: 'Name',
    size: 'Size',
    packed: 'Packed',
    ratio: 'Ratio',
    encrypted: 'Encrypted',
    outside: 'Unsafe path',
    damaged: 'The archive is damaged or incomplete: its contents cannot be listed.',
  },
};
