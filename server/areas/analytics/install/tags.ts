/** Script elements and policies of a page, read from its source text. Single pass without backtracking: the pages are untrusted input. */

export type FoundScript = { readonly src: string; readonly site: string; readonly nonce: string; readonly integrity: string };
type Tag = { readonly name: string; readonly attributes: ReadonlyMap<string, string> };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
  '#x2f': '/',
  '#47': '/',
};
const decode = (text: string): string => text.replaceAll(/&(#?\w{1,8});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);

/** The content of these elements is not parsed as markup. */
const opaque = new Set(['script', 'style', 'textarea', 'title', 'template', 'noscript', 'iframe', 'xmp']);
const space = /\s/;

/** Start tags outside comments and opaque elements, in order. Parsing stops at an unterminated tag or comment. */
function startTags(html: string): Tag[] {
  const tags: Tag[] = [];
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    const name = /^[a-z][a-z0-9-]*/i.exec(html.slice(at + 1, at + 32))?.[0]?.toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    const read = readAttributes(html, at + 1 + name.length);
    if (read === null) break;
    tags.push({ name, attributes: read.attributes });
    at = read.end;
    if (opaque.has(name)) {
      const close = new RegExp(`</${name}`, 'gi');
      close.lastIndex = at;
      if (!close.test(html)) break;
      at = close.lastIndex;
    }
  }
  return tags;
}

/** Attributes from `start` up to the closing `>`; the first of two attributes with the same name applies. Null if the tag is unterminated. */
function readAttributes(html: string, start: number): { attributes: Map<string, string>; end: number } | null {
  const attributes = new Map<string, string>();
  let at = start;
  const skip = (): void => {
    while (at < html.length && (space.test(html.charAt(at)) || html[at] === '/')) at += 1;
  };
  for (skip(); at < html.length && html[at] !== '>'; skip()) {
    const from = at;
    at += 1;
    while (at < html.length && !/[\s/>=]/.test(html.charAt(at))) at += 1;
    const name = html.slice(from, at).toLowerCase();
    while (space.test(html.charAt(at))) at += 1;
    let value = '';
    if (html[at] === '=') {
      at += 1;
      while (space.test(html.charAt(at))) at += 1;
      const quote = html[at];
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1);
        if (end < 0) return null;
        value = html.slice(at + 1, end);
        at = end + 1;
      } else {
        const begin = at;
        while (at < html.length && !/[\s>]/.test(html.charAt(at))) at += 1;
        value = html.slice(begin, at);
      }
    }
    if (!attributes.has(name)) attributes.set(name, decode(value));
  }
  return at < html.length ? { attributes, end: at + 1 } : null;
}

/** Scripts that carry a site id, or whose file has the tracker's name. */
export function findScripts(html: string): FoundScript[] {
  return startTags(html)
    .filter((tag) => tag.name === 'script')
    .map(({ attributes }) => ({
      src: (attributes.get('src') ?? '').trim(),
      site: (attributes.get('data-site') ?? '').trim(),
      nonce: attributes.get('nonce') ?? '',
      integrity: attributes.get('integrity') ?? '',
    }))
    .filter(({ src, site }) => src !== '' && (/^[a-z2-7]{12}$/.test(site) || /\/t\.js(?:[?#]|$)/.test(src)));
}

/** Policies in the page's own meta elements. */
export const metaPolicies = (html: string): string[] =>
  startTags(html)
    .filter((tag) => tag.name === 'meta' && tag.attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy')
    .map((tag) => tag.attributes.get('content') ?? '');
