import { cleanText } from './text';

const longest = 200;

/**
 * The term of the site's own search in a page's URL: the first of the site's parameters (lower case) that has a value, in the order of the list; also in the
 * query of a hash route (`#/search?q=tea`). '' if none.
 */
export function searchTermOf(address: string, params: readonly string[]): string {
  const queryStart = address.indexOf('?');
  if (queryStart < 0 || params.length === 0) return '';
  const values = new Map<string, string>();
  for (const part of address.slice(queryStart + 1).split(/[?#&]/)) {
    const equals = part.indexOf('=');
    if (equals <= 0) continue;
    const name = decode(part.slice(0, equals)).toLowerCase();
    if (params.includes(name) && !values.has(name)) values.set(name, decode(part.slice(equals + 1)));
  }
  for (const param of params) {
    const term = cleanText(values.get(param) ?? '', longest).replaceAll(/\s+/g, ' ');
    if (term !== '') return term;
  }
  return '';
}

/** URLs may contain invalid escapes: what cannot be decoded is returned unchanged. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
