/** Values that the benchmark fills tables with: identical for all programs, derived from the number of the row and of the field. */

const titleWords = [
  '龙井',
  '碧螺春',
  '铁观音',
  '普洱',
  '大红袍',
  '白毫银针',
  '祁门红茶',
  '茉莉花茶',
  '六安瓜片',
  '君山银针',
  '约值',
  '礼盒',
  '新茶',
  '特级',
  '手工',
  '春茶',
];
export const kinds = ['text', 'integer', 'number', 'date', 'switch', 'select', 'datetime', 'text', 'integer', 'longText'] as const;
export type Kind = (typeof kinds)[number];
export const word = (n: number): string => titleWords[n % titleWords.length] ?? '';
export const kindOf = (i: number): Kind => kinds[i % kinds.length] ?? 'text';
/** Indexed fields: an integer that lists are sorted by, and a choice that they are filtered by. */
export const sortedBy = 1;
export const filteredBy = 5;
export const isIndexed = (i: number): boolean => i === sortedBy || i === filteredBy;
export const choices = titleWords.slice(0, 8).map((title, at) => ({ id: `w${at}`, title }));

export const fieldsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    key: `c${i}`,
    title: `字段 ${i}`,
    type: kindOf(i),
    indexed: isIndexed(i),
    ...(kindOf(i) === 'select' ? { options: { choices } } : {}),
  }));

export function valueOf(i: number, n: number): unknown {
  const seed = (n * 7919 + i * 104_729) % 1_000_003;
  switch (kindOf(i)) {
    case 'integer':
      return seed;
    case 'number':
      return `${seed}.5`;
    case 'date':
      return `2026-${String(1 + (seed % 12)).padStart(2, '0')}-${String(1 + (seed % 28)).padStart(2, '0')}`;
    case 'switch':
      return seed % 2 === 0;
    case 'select':
      return `w${seed % 8}`;
    case 'datetime':
      return new Date(1_700_000_000_000 + seed * 1000).toISOString();
    default:
      return `${word(seed)}${word(seed >> 4)} ${seed} ${word(seed >> 7)}`;
  }
}
export const recordOf = (fields: number, n: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: fields }, (_, i) => [`c${i}`, valueOf(i, n)]));
export const recordsOf = (fields: number, from: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, i) => recordOf(fields, from + i));
