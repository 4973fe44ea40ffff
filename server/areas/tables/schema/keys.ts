import { pinyin } from 'pinyin-pro';
import { keyPattern, tableLimits } from '../../../../contract/tables/terms';

type Named = { readonly id: string; readonly key: string; readonly aliases: readonly string[] };

/** Keys of system values in the content API, and words with a meaning in its query strings. */
const reservedFields = new Set(
  (
    'id n ord rev revision state values locale locales created_at created_by updated_at updated_by published_at published_rev publish_at unpublish_at ' +
    'deleted_at and or not constructor prototype tr q'
  ).split(' '),
);
/** Path segments at the position of a table's key. */
const reservedTables = new Set('tables records schema openapi batches content site search assets constructor prototype'.split(' '));
export const isReservedKey = (key: string, of: 'field' | 'table'): boolean => (of === 'field' ? reservedFields : reservedTables).has(key);

/** All names in use: keys and aliases. */
export const namesIn = (all: readonly Named[], but?: string): Set<string> =>
  new Set(all.filter((one) => one.id !== but).flatMap((one) => [one.key, ...one.aliases]));

/** Letters that Unicode does not decompose. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', þ: 'th' };
const keyFrom = (title: string): string =>
  pinyin(title.normalize('NFKC'), { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
    .join('_')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøłđþ]/g, (letter) => spelled[letter] ?? '')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+/g, '')
    .slice(0, 40)
    .replaceAll(/_+$/g, '');

/** An unused API key for a title in any script: Chinese characters as pinyin; a generic word with a number if nothing remains. */
export function freeKey(title: string, usedNames: ReadonlySet<string>, of: 'field' | 'table'): string {
  const derivedKey = keyFrom(title);
  const stem = keyPattern.test(derivedKey) ? derivedKey : of;
  for (let n = 1; ; n++) {
    const key = n === 1 ? stem : `${stem.slice(0, tableLimits.keyLength - 6)}_${n}`;
    if (!usedNames.has(key) && !isReservedKey(key, of)) return key;
  }
}
