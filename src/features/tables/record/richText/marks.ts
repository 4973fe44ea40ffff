import { Mark, mergeAttributes } from '@tiptap/core';
import { isLinkAddress } from '../html';

/** A mark that any of several elements represent; each is written back as the same element. The toolbar writes the first. */
const markOf = (name: string, tags: readonly string[], attributes: readonly string[] = []): Mark =>
  Mark.create({
    name,
    excludes: name,
    addAttributes: () => ({
      ...Object.fromEntries(attributes.map((attribute) => [attribute, { default: null }])),
      tag: { default: tags[0], parseHTML: (element) => element.localName, rendered: false },
    }),
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: ({ HTMLAttributes, mark }) => [String(mark.attrs['tag']), HTMLAttributes, 0],
  });

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null }, title: { default: null }, target: { default: null } }),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (element) => isLinkAddress(element.getAttribute('href') ?? '') && null }],
  renderHTML: ({ HTMLAttributes }) => ['a', mergeAttributes(HTMLAttributes, { rel: 'noopener noreferrer' }), 0],
});

/** The inline elements that the server keeps. The first is the outermost. */
export const marks: readonly Mark[] = [
  Link,
  markOf('language', ['span']),
  markOf('abbreviation', ['abbr'], ['title']),
  markOf('bold', ['strong', 'b']),
  markOf('italic', ['em', 'i']),
  markOf('strike', ['s', 'del']),
  markOf('underline', ['u']),
  markOf('insertion', ['ins']),
  markOf('highlight', ['mark']),
  markOf('small', ['small']),
  markOf('subscript', ['sub']),
  markOf('superscript', ['sup']),
  markOf('keyboard', ['kbd']),
  markOf('code', ['code']),
];
