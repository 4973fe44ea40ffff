/** A date as fields store it: an ISO moment; null if it is none. */
export function momentOf(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === 'number') return momentOf(new Date(value));
  if (typeof value !== 'string' || value.trim() === '' || value.startsWith('0000')) return null;
  const text = value.trim();
  // `2024-05-01 08:00:00` without a zone is UTC, as exports write it.
  const whole = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const at = new Date(whole);
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999 ? null : at.toISOString();
}

/** A text without what PostgreSQL cannot store: U+0000, and halves of surrogate pairs in JSON. */
// oxlint-disable-next-line no-control-regex
export const storable = (text: string): string => text.replaceAll(/\u0000|\p{Surrogate}/gu, '');
/** A value of JSON whose texts are all `storable`. */
export const storableJson = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part)) as T;

export const textOf = (value: unknown, most: number): string =>
  storable(typeof value === 'string' || typeof value === 'number' ? String(value) : '')
    .trim()
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '');

/** A list of texts: a list, or one text with commas. */
export function textsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? (value as readonly unknown[]) : typeof value === 'string' ? value.split(',') : [];
  return [...new Set(all.map((one) => textOf(one, 200)).filter((one) => one !== ''))].slice(0, 100);
}

/** A key of a table or collection made of a name. */
export function keyOf(name: string, otherwise: string): string {
  const key = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 30);
  return key === '' ? otherwise : key;
}
