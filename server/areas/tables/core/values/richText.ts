import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Loaded with the first rich text, because it brings parsers for HTML and style sheets. */
const sanitizer = () => require('sanitize-html') as typeof sanitizeHtml;

/**
 * Rich text that is safe to store and show: headings, lists, quotes, code, tables, links and images. Everything else (scripts, styles, frames, handlers,
 * forms, addresses that are not web addresses) is removed; its text remains, except that of scripts and styles.
 */
export const cleanHtml = (html: string): string => sanitizer()(html, rules);

const allowedTags =
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code figure figcaption div span strong b em i u s del ins sub sup mark small kbd abbr ruby rt rp a img table caption colgroup col thead tbody tfoot tr th td'.split(
    ' ',
  );
const rules: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    abbr: ['title'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    col: ['span'],
    '*': ['lang', 'dir'],
  },
  allowedClasses: { code: [/^language-[\w+-]{1,30}$/] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // A page opened in another tab must not get access to this one.
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: attribs.target === undefined ? attribs : { ...attribs, target: '_blank', rel: 'noopener noreferrer' } }),
  },
  enforceHtmlBoundary: false,
  nestingLimit: 60,
};
