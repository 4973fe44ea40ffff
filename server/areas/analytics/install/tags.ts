/** Script elements and policies of a page, read from its source text as it was sent. */

export type FoundScript = { readonly src: string; readonly site: string; readonly nonce: string; readonly integrity: string };

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'", '#x27': "'", '#34': '"', '#x2f': '/', '#47': '/' };
const decode = (text: string): string => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);

/** Attributes of a start tag; names in lower case, the first of two equal ones counts. */
function attributesOf(tag: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of tag.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!found.has(name)) found.set(name, decode(match[2] ?? match[3] ?? match[4] ?? ''));
  }
  return found;
}

const startTags = (html: string, name: string): ReadonlyMap<string, string>[] =>
  [...html.matchAll(new RegExp(`<${name}\\b((?:"[^"]*"|'[^']*'|[^>"'])*)>`, 'gi'))].map((match) => attributesOf(match[1] ?? ''));

/** What stands inside comments, and inside scripts and text fields, is not markup. */
const markup = (html: string): string =>
  html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll(/(<(script|style|textarea|title|template|noscript)\b(?:"[^"]*"|'[^']*'|[^>"'])*>)[\s\S]*?(<\/\2\s*>|$)/gi, '$1$3');

/** Scripts that carry a site's id, or whose file is called like ours. */
export function findScripts(html: string): FoundScript[] {
  return startTags(markup(html), 'script')
    .map((tag) => ({ src: (tag.get('src') ?? '').trim(), site: (tag.get('data-site') ?? '').trim(), nonce: tag.get('nonce') ?? '', integrity: tag.get('integrity') ?? '' }))
    .filter(({ src, site }) => src !== '' && (/^[a-z2-7]{12}$/.test(site) || /\/t\.js(?:[?#]|$)/.test(src)));
}

/** Policies that a page sets for itself. */
export const metaPolicies = (html: string): string[] =>
  startTags(markup(html), 'meta')
    .filter((tag) => tag.get('http-equiv')?.toLowerCase() === 'content-security-policy')
    .map((tag) => tag.get('content') ?? '');
