import { DOMParser, DOMSerializer, Slice } from '@tiptap/pm/model';
import type { Node as DocumentNode, Schema } from '@tiptap/pm/model';
import { nodesOf } from '../html';
import { schema } from './extensions';

const inline = new Set('span strong b em i u s del ins sub sup mark small kbd abbr code ruby rt rp a img br'.split(' '));
const isInline = (node: Node): boolean => (node instanceof Element ? inline.has(node.localName) : true);
/** A document without a window: its pictures are not requested. The console has no file at their addresses. */
const inert = document.implementation.createHTMLDocument('');
const isBlank = (node: Node): boolean => !(node instanceof Element) && (node.textContent ?? '').trim() === '';

/** Wraps text between blocks in a paragraph that is marked as originally bare. */
function wrapBareText(fragment: DocumentFragment): DocumentFragment {
  let open: HTMLElement | null = null;
  // `childNodes` is live and changes while its nodes move.
  const children = [...fragment.childNodes];
  for (const child of children) {
    if (!isInline(child)) open = null;
    else if (open) open.append(child);
    else if (!isBlank(child)) {
      open = document.createElement('p');
      open.dataset['wrap'] = 'bare';
      child.replaceWith(open);
      open.append(child);
    }
  }
  return fragment;
}

const holdsOneBlock = (paragraph: Element): boolean =>
  paragraph.parentElement?.matches('li, td, th, blockquote, div, figure') === true &&
  paragraph.parentElement.querySelectorAll(':scope > :is(p, div)').length === 1;
const isUnwrapped = (paragraph: HTMLElement): boolean =>
  paragraph.dataset['wrap'] === 'auto'
    ? holdsOneBlock(paragraph)
    : [paragraph.previousElementSibling, paragraph.nextElementSibling].every((other) => other?.hasAttribute('data-wrap') !== true);

/** Parses HTML to a document; only what the server keeps is included. */
export const documentOf = (html: string): DocumentNode => DOMParser.fromSchema(schema).parse(wrapBareText(nodesOf(html, inert)));

/** Sanitized clipboard HTML as a slice to insert. `into`: the schema of the editor. */
export const sliceOf = (html: string, into: Schema): Slice => Slice.maxOpen(DOMParser.fromSchema(into).parse(nodesOf(html, inert)).content);

/** The HTML of a document as it is stored; null where it has no visible content. */
export function htmlOf(content: DocumentNode): string | null {
  const box = inert.createElement('div');
  box.append(DOMSerializer.fromSchema(content.type.schema).serializeFragment(content.content, { document: inert }));
  if (box.textContent.trim() === '' && box.querySelector('img, hr, table') === null) return null;
  const marked = [...box.querySelectorAll<HTMLElement>('p[data-wrap]')];
  const bare = marked.filter(isUnwrapped);
  for (const paragraph of bare) paragraph.replaceWith(...paragraph.childNodes);
  for (const paragraph of marked) delete paragraph.dataset['wrap'];
  return box.innerHTML;
}

const describe = (element: Element): string =>
  [element.localName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).toSorted()].join(' ');

/** Every character and empty element with its ancestor elements; marks in any order, whitespace ignored. */
function outlineOf(html: string): string {
  const parts: string[] = [];
  const walk = (node: Node, blocks: readonly string[], marked: readonly string[]): void => {
    if (node instanceof Element) {
      // A link without a URL is only text.
      const isNothing = node.matches('a:not([href])');
      if (!isNothing && node.childNodes.length === 0) parts.push([...blocks, ...marked.toSorted(), describe(node)].join('>'));
      const [outer, within] = isNothing
        ? [blocks, marked]
        : isInline(node)
          ? [blocks, [...new Set([...marked, describe(node)])]]
          : [[...blocks, describe(node)], marked];
      for (const child of node.childNodes) walk(child, outer, within);
      return;
    }
    const place = [...blocks, ...marked.toSorted()].join('>');
    for (const letter of (node.textContent ?? '').replaceAll(/\s+/g, '')) parts.push(`${letter} ${place}`);
  };
  for (const node of nodesOf(html, inert).childNodes) walk(node, [], []);
  return parts.join('\n');
}

/** Whether the editor can reproduce the HTML: if an element is in a place that the schema does not allow, only the source is safe to edit. */
export const isEditable = (html: string): boolean => outlineOf(htmlOf(documentOf(html)) ?? '') === outlineOf(html);
