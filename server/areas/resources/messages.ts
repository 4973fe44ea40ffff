import type { Locale } from '../../http/access';

/** 1 610 612 736 → 1.5 GB (1 KB = 1024 B), as the console shows sizes. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${units[unit] ?? ''}`;
}

type Texts = Readonly<Record<Locale, string>>;

/** A file is larger than files of the site may be. */
export const fileTooLarge = (bytes: number, max: number): Texts => ({
  'zh-CN': `文件大小为 ${sizeText(bytes)}，超过此站点单个文件的上限 ${sizeText(max)}。`,
  en: `The file is ${sizeText(bytes)}; this site allows at most ${sizeText(max)} per file.`,
});

/** A file does not fit into what is left of the site's storage. */
export const storageFull = ({ bytes, used, max }: { readonly bytes: number; readonly used: number; readonly max: number }): Texts => ({
  'zh-CN': `存储空间不足：此站点的资源已占用 ${sizeText(used)}，上限为 ${sizeText(max)}，放不下 ${sizeText(bytes)} 的文件。`,
  en: `Not enough storage: the resources of this site occupy ${sizeText(used)} of ${sizeText(max)}, so a file of ${sizeText(bytes)} does not fit.`,
});
