import { pinyin } from 'pinyin-pro';

/** A slug from a title: 中文标题 → zhong-wen-biao-ti, “Crème brûlée!” → creme-brulee; empty if the title has neither letters nor digits. */
export function slugOf(title: string, longest = 80): string {
  const parts = title
    .slice(0, 500)
    .replaceAll(/\p{Script=Han}+/gu, (han) => ` ${pinyin(han, { toneType: 'none', type: 'array', v: true, nonZh: 'removed' }).join(' ')} `)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/[\p{L}\p{N}]+/gu);
  let slug = '';
  for (const part of parts ?? []) {
    const longer = slug === '' ? part.slice(0, longest) : `${slug}-${part}`;
    if (longer.length > longest) break;
    slug = longer;
  }
  return slug;
}
/** Makes the `count`-th of several equal slugs unique. */
export const numbered = (slug: string, count: number): string => (count === 1 ? slug : `${slug}-${count}`);
