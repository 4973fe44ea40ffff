import { pinyin } from 'pinyin-pro';
import { reservedSlugs, slugPattern } from '../../../contract/sites/schemas';

const longest = 40;

/** ASCII from a name: Han as pinyin, accents dropped, everything else a dash. Empty where nothing remains. */
export function slugFrom(name: string): string {
  const syllables = pinyin(name.normalize('NFKC'), { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true });
  return syllables
    .join(' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '');
}

export const isReserved = (slug: string): boolean => reservedSlugs.includes(slug);

/** Slugs near `base` that might be free, best first, endless but for the `most`. */
export function candidates(base: string, most: number): string[] {
  const stem = slugPattern.test(base) ? base : 'site';
  const found = isReserved(stem) ? [] : [stem];
  for (let n = 2; found.length < most; n++) {
    const end = `-${n}`;
    found.push(stem.slice(0, longest - end.length).replace(/-+$/, '') + end);
  }
  return found;
}
