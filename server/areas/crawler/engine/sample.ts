import type { AnyNode } from 'domhandler';
import { hasChildren, isTag, isText } from 'domhandler';
import type { PageSample } from '../../../../contract/crawler/schemas';
import { treeOf } from './extract';
import { cut, squeezed } from './textMeasures';

type Node = PageSample['nodes'][number];

/** Nodes of a page and characters of them that a sample has; what follows is left out. */
const sampleLimits = { nodes: 20_000, characters: 1_500_000, text: 500 } as const;
/** Attributes that selectors may name; they are complete, so that a selector matches the same elements in the sample as in the page. */
const isNaming = (name: string): boolean => name === 'id' || name === 'class' || name === 'itemprop' || name.startsWith('data-');
/** Attributes that a column may read. */
const readable = new Set(['href', 'src', 'srcset', 'alt', 'title', 'datetime', 'content', 'value', 'placeholder', 'aria-label', 'hidden', 'type']);
/** Elements whose text is not content. */
const silent = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math', 'object', 'textarea']);

function attributesOf(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (isNaming(name)) found[name] = value;
    else if (readable.has(name)) found[name] = cut(value, sampleLimits.text);
  }
  return found;
}

/**
 * The elements of a page as plain data: names, the attributes that selectors and columns use, and texts. Nothing of it is markup, so whoever shows it cannot run, load or submit anything.
 * All elements are there, also those that are not visible, because selectors count them.
 */
export function sampleOf(html: string): Pick<PageSample, 'nodes' | 'complete'> {
  const nodes: Node[] = [];
  let characters = 0;
  const waiting: { readonly node: AnyNode; readonly parent: number; readonly isSilent: boolean }[] = [];
  const wait = (children: readonly AnyNode[], parent: number, isSilent: boolean): void => {
    for (const node of children.toReversed()) waiting.push({ node, parent, isSilent });
  };
  wait(treeOf(html).children, -1, false);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent, isSilent } = next;
    const added = isTag(node)
      ? { parent, name: node.name, attributes: attributesOf(node.attribs) }
      : isText(node) && !isSilent
        ? textOf(node.data, parent)
        : null;
    if (added === null) continue;
    characters +=
      'text' in added
        ? added.text.length
        : Object.entries(added.attributes).reduce((sum, [name, value]) => sum + name.length + value.length, added.name.length);
    if (nodes.length >= sampleLimits.nodes || characters > sampleLimits.characters) return { nodes, complete: false };
    nodes.push(added);
    if (hasChildren(node)) wait(node.children, nodes.length - 1, isSilent || (isTag(node) && silent.has(node.name)));
  }
  return { nodes, complete: true };
}

function textOf(data: string, parent: number): Extract<Node, { text: string }> | null {
  const text = squeezed(data);
  if (text === '') return null;
  // White space at the ends separates the text from its neighbours.
  return { parent, text: `${/^\s/.test(data) ? ' ' : ''}${cut(text, sampleLimits.text)}${/\s$/.test(data) ? ' ' : ''}` };
}
