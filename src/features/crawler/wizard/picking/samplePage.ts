import { selectAll } from 'css-select';
import { Document, Element, isTag, Text } from 'domhandler';
import type { AnyNode, ParentNode } from 'domhandler';
import type { PageSample } from '@contract/crawler/schemas';
import { typePlaces } from '@contract/crawler/typePlaces';

/** A sampled page as the tree that the crawler has of it, so that selectors find the same elements here and there. It is data and never part of the screen. */
export type SamplePage = {
  readonly document: Document;
  /** Elements by their index in the sample. */
  readonly elements: ReadonlyMap<number, Element>;
  readonly indexOf: (element: Element) => number;
};

export function pageOf(nodes: PageSample['nodes']): SamplePage {
  const document = new Document([]);
  const elements = new Map<number, Element>();
  const indexes = new Map<Element, number>();
  for (const [index, node] of nodes.entries()) {
    const parent: ParentNode = elements.get(node.parent) ?? document;
    const added = 'name' in node ? new Element(node.name, { ...node.attributes }) : new Text(node.text);
    const last = parent.lastChild;
    added.parent = parent;
    added.prev = last;
    if (last !== null) last.next = added;
    parent.children.push(added);
    if (!isTag(added)) continue;
    elements.set(index, added);
    indexes.set(added, index);
  }
  return { document, elements, indexOf: (element) => indexes.get(element) ?? -1 };
}

const optionsOf = typePlaces<Element>((element) => (element.parent === null ? [element] : childrenOf(element.parent)));

/** The elements that a selector finds below another; none if it is not valid. */
export function find(selector: string, root: Document | Element): Element[] {
  try {
    return selectAll<AnyNode, Element>(selector, root, optionsOf(selector));
  } catch {
    return [];
  }
}

export const parentOf = (element: Element): Element | null => (element.parent !== null && isTag(element.parent) ? element.parent : null);
export const childrenOf = (node: ParentNode): Element[] => node.children.filter(isTag);

/** The elements around an element, the nearest first. */
export function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = parentOf(element); at !== null; at = parentOf(at)) found.push(at);
  return found;
}
export const isWithin = (element: Element, root: Element): boolean => element === root || ancestorsOf(element).includes(root);

/** The text of an element on one line. */
export function textOf(element: Element): string {
  let text = '';
  const waiting: AnyNode[] = [element];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node instanceof Text) text += node.data;
    else if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

const inline = new Set([
  'span',
  'b',
  'i',
  'em',
  'strong',
  'small',
  'label',
  'button',
  'time',
  'sup',
  'sub',
  'code',
  'del',
  's',
  'ins',
  'u',
  'mark',
  'abbr',
  'cite',
  'q',
  'font',
  'bdi',
  'bdo',
  'data',
  'var',
  'kbd',
  'picture',
  'option',
]);
/** Whether elements of a name are part of a line of text. Links are not: they may also be around whole blocks. */
export const isInline = (name: string): boolean => inline.has(name);
