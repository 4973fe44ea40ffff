import { pinyin } from 'pinyin-pro';
import { reservedSlugs, slugPattern } from '../../../contract/sites/schemas';

const longest = 40;

/** Converts a name to ASCII: Chinese characters as pinyin, accents removed, everything else as a dash. Empty if nothing remains. */
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

/** The syllables of a name with Chinese characters, and its other words in between, in lower case; empty for other names. */
export function syllablesOf(name: string): string[] {
  if (!/\p{Script=Han}/u.test(name)) return [];
  return pinyin(name.normalize('NFKC'), { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
    .flatMap((part) => part.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part !== '');
}

export const isReserved = (slug: string): boolean => reservedSlugs.includes(slug);

/** Candidate slugs similar to `base`, best first, `most` in number. */
export function candidates(base: string, most: number): string[] {
  const stem = slugPattern.test(base) ? base : 'site';
  const found = isReserved(stem) ? [] : [stem];
  for (let n = 2; found.length < most; n++) {
    const end = `-${n}`;
    found.push(stem.slice(0, longest - end.length).replace(/-+$/, '') + end);
  }
  return found;
}
