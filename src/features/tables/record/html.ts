/**
 * Converts HTML of rich text to DOM nodes without the browser's parsers: those accept only input from a Trusted Types policy, and the console has none for
 * content. Only what the server keeps is converted (`server/areas/tables/core/values/richText.ts`): text, allowed elements, harmless attributes.
 */
const allowed = new Set(
  (
    'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code figure figcaption div span strong b em i u s del ins sub sup mark small kbd abbr ruby rt rp a img ' +
    'table caption colgroup col thead tbody tfoot tr th td'
  ).split(' '),
);
const empty = new Set(['br', 'hr', 'img', 'col']);
/** Elements whose text is dropped. */
const silent = new Set(['script', 'style', 'textarea', 'title', 'noscript', 'iframe', 'template']);
const attributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'target'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  abbr: ['title'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  col: ['span'],
  code: ['class'],
};
const everywhere = ['lang', 'dir'];
const languageClass = /^language-[\w+-]{1,30}$/;
const mostDepth = 60;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Decodes numeric entities and the six named ones that editors write; others are unchanged. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

/** Link targets allowed in content: web, mail, telephone, this site. */
export const isLinkAddress = (text: string): boolean => /^(https?:\/\/|mailto:|tel:|#|\/(?!\/))/i.test(text.trim());
const isSource = (text: string): boolean => /^(https?:\/\/|\/(?!\/))/i.test(text.trim());

function dress(element: HTMLElement, name: string, text: string): void {
  for (const [, key = '', double, single, bare] of text.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g)) {
    const attribute = key.toLowerCase();
    if (!everywhere.includes(attribute) && !attributes[name]?.includes(attribute)) continue;
    const value = decodeEntities(double ?? single ?? bare ?? '');
    if (attribute === 'href' && !isLinkAddress(value)) continue;
    if (attribute === 'src' && !isSource(value)) continue;
    if (attribute === 'class' && !languageClass.test(value)) continue;
    element.setAttribute(attribute, value);
  }
  if (name === 'a') element.setAttribute('rel', 'noopener noreferrer');
}

export function nodesOf(html: string, page: Document = document): DocumentFragment {
  const whole = page.createDocumentFragment();
  const open: { readonly name: string; readonly node: Node }[] = [];
  let muted = '';
  for (const [part, closing, tag, rest] of html.matchAll(/<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|[^<]+|</gi)) {
    const name = tag?.toLowerCase();
    if (muted !== '') {
      if (closing === '/' && name === muted) muted = '';
      continue;
    }
    const into = open.at(-1)?.node ?? whole;
    if (name === undefined) {
      if (!part.startsWith('<!--')) into.appendChild(page.createTextNode(decodeEntities(part)));
    } else if (closing === '/') {
      const at = open.findLastIndex((one) => one.name === name);
      if (at >= 0) open.length = at;
    } else if (silent.has(name)) muted = name;
    else if (allowed.has(name) && open.length < mostDepth) {
      const element = page.createElement(name);
      dress(element, name, rest ?? '');
      into.appendChild(element);
      if (!empty.has(name)) open.push({ name, node: element });
    }
  }
  return whole;
}
