import { pinyin } from 'pinyin-pro';
import { keyPattern, tableLimits } from '../../../../contract/tables/terms';

type Named = { readonly id: string; readonly key: string; readonly aliases: readonly string[] };

/** Names that a record has of itself in the content API, and words that would be read as something else in a question to it. */
const reservedFields = new Set(
  (
    'id n ord rev revision state values locale locales created_at created_by updated_at updated_by published_at published_rev publish_at unpublish_at ' +
    'deleted_at and or not constructor prototype tr q'
  ).split(' '),
);
/** Parts of addresses beside which a table's key stands. */
const reservedTables = new Set('tables records schema openapi batches content site search assets constructor prototype'.split(' '));
export const isReservedKey = (key: string, of: 'field' | 'table'): boolean => (of === 'field' ? reservedFields : reservedTables).has(key);

/** Every name that still means something: keys and old keys. */
export const namesIn = (all: readonly Named[], but?: string): Set<string> =>
  new Set(all.filter((one) => one.id !== but).flatMap((one) => [one.key, ...one.aliases]));

/** Letters that are no letter with an accent. */
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

/** A free name in the API for a title in any script: Han as pinyin; a plain word and a number where nothing of it is left. */
export function freeKey(title: string, taken: ReadonlySet<string>, of: 'field' | 'table'): string {
  const made = keyFrom(title);
  const stem = keyPattern.test(made) ? made : of;
  for (let n = 1; ; n++) {
    const key = n === 1 ? stem : `${stem.slice(0, tableLimits.keyLength - 6)}_${n}`;
    if (!taken.has(key) && !isReservedKey(key, of)) return key;
  }
}
