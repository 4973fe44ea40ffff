import { parseUrl } from '../../../../../contract/parseUrl';

/** An address that is safe as a link on a public page. */
export function webAddress(text: string): string | null {
  const url = parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter((one): one is string => typeof one === 'string') : [];
/** A simple value as text; anything else as JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** Titles of links whose name this reader may see; of people only the name. */
export const namesOf = (ids: readonly string[], names: Readonly<Record<string, string>>): string => ids.flatMap((id) => names[id] ?? []).join(', ');
