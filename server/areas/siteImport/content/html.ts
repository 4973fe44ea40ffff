import { createRequire } from 'node:module';
import { Parser } from 'htmlparser2';
import type sanitizeHtml from 'sanitize-html';
import { parseUrl } from '../../../../contract/parseUrl';

const require = createRequire(import.meta.url);
const sanitizer = () => require('sanitize-html') as typeof sanitizeHtml;

/** Endings of files that pages link to and that come along as resources. */
const fileEnding = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|zip|epub|csv|txt|mp3|m4a|ogg|wav|mp4|webm|mov|jpe?g|png|gif|webp|avif|svg)$/i;

export function resolved(address: string | undefined, base: string): string | null {
  const text = address?.trim() ?? '';
  if (text === '' || text.length > 2000) return null;
  const url = parseUrl(text, base);
  return url !== null && /^(?:https?|file):$/.test(url.protocol) ? url.href : null;
}

/** The picture of an element: lazily loaded ones have their address elsewhere, and `srcset` has the largest last. */
export function pictureOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { src = '' } = attributes;
  const lazy = attributes['data-src'] ?? attributes['data-lazy-src'] ?? attributes['data-original'];
  if (lazy !== undefined && (src === '' || src.startsWith('data:') || /placeholder|blank|spacer/i.test(src))) return lazy;
  if (src !== '' && !src.startsWith('data:')) return src;
  return (attributes['srcset'] ?? attributes['data-srcset'])?.split(',').at(-1)?.trim().split(/\s+/, 1)[0];
}

const isFile = (address: string): boolean => fileEnding.test(new URL(address).pathname);

export type MediaUse = { readonly source: string; readonly alt: string };
/** Pictures and files of a rich text. */
export function mediaOf(html: string, base: string): MediaUse[] {
  const found = new Map<string, MediaUse>();
  const add = (address: string | null, alt: string): void => {
    if (address !== null && !found.has(address)) found.set(address, { source: address, alt });
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'img') add(resolved(pictureOf(attributes), base), attributes['alt'] ?? '');
      if (name !== 'a') return;
      const address = resolved(attributes['href'], base);
      if (address !== null && isFile(address)) add(address.replace(/#.*$/, ''), '');
    },
  });
  parser.end(html);
  return [...found.values()];
}

export type Rewriting = {
  readonly base: string;
  /** The new address of a file; null: it stays where it is. */
  readonly media: (source: string) => string | null;
  /** The new address of a page; null: it does not come along. */
  readonly page: (address: string) => string | null;
};

/** A rich text in which pictures, files and links lead to what was imported. Addresses of other websites become whole ones. */
export function rewritten(html: string, { base, media, page }: Rewriting): string {
  const outside = (address: string): string | undefined => (address.startsWith('file:') ? undefined : address);
  return sanitizer()(html, {
    allowedTags: false,
    allowedAttributes: false,
    // Scripts and frames are removed when the record is written.
    allowVulnerableTags: true,
    transformTags: {
      img: (tagName, attribs) => {
        const source = resolved(pictureOf(attribs), base);
        const { srcset: _set, src: _src, ...rest } = attribs;
        const address = source === null ? undefined : (media(source) ?? outside(source));
        return { tagName, attribs: { ...rest, ...(address !== undefined && { src: address }) } };
      },
      a: (tagName, attribs) => {
        const { href } = attribs;
        if (href === undefined || href.startsWith('#') || /^(?:mailto|tel):/i.test(href)) return { tagName, attribs };
        const source = resolved(href, base);
        if (source === null) return { tagName, attribs: Object.fromEntries(Object.entries(attribs).filter(([name]) => name !== 'href')) };
        const [plain = source, anchor] = source.split('#');
        const target = media(plain) ?? page(plain);
        const address = target === null ? outside(source) : `${target}${anchor === undefined ? '' : `#${anchor}`}`;
        const { href: _href, ...rest } = attribs;
        return { tagName, attribs: { ...rest, ...(address !== undefined && { href: address }) } };
      },
    },
  });
}

/** Paragraphs of a text that has none, as WordPress made them when it showed a post. */
export function paragraphs(html: string): string {
  if (/<(?:p|div|h[1-6]|ul|ol|table|figure|blockquote)\b/i.test(html)) return html;
  return html
    .split(/\r?\n\s*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('');
}
