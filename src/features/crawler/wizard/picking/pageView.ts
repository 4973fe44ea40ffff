import { isTag, isText } from 'domhandler';
import type { Document, Element } from 'domhandler';
import { childrenOf, isInline } from './samplePage';
import type { SamplePage } from './samplePage';

/** How an element looks in the dialog: the page without its styles, in the type of the console. */
type Look = 'block' | 'inline' | 'heading' | 'link' | 'image' | 'input' | 'break' | 'list' | 'item' | 'table' | 'rows' | 'row' | 'cell' | 'grid' | 'card';
export type ViewNode = { readonly index: number; readonly look: Look; readonly children: readonly (ViewNode | string)[] };
export type PageView = {
  readonly roots: readonly (ViewNode | string)[];
  /** Indexes of the elements that are in view, in the order of the page, and which of them have a text or an image of their own. */
  readonly order: readonly number[];
  readonly valued: readonly number[];
  /** The element in view that stands for one which only wraps it. */
  readonly standIn: ReadonlyMap<number, number>;
};

const invisible = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'canvas',
  'video',
  'audio',
  'link',
  'meta',
  'source',
  'map',
  'dialog',
]);
const looks: Readonly<Record<string, Look>> = {
  a: 'link',
  img: 'image',
  input: 'input',
  select: 'input',
  textarea: 'input',
  br: 'break',
  ul: 'list',
  ol: 'list',
  li: 'item',
  table: 'table',
  thead: 'rows',
  tbody: 'rows',
  tfoot: 'rows',
  tr: 'row',
  td: 'cell',
  th: 'cell',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
};
/** Elements nested deeper than this are shown in the one that is as deep: browsers lay out only so many levels. */
const deepest = 60;
const lookOf = ({ name }: Element): Look => (Object.hasOwn(looks, name) ? looks[name] : undefined) ?? (isInline(name) ? 'inline' : 'block');
const isHidden = ({ name, attribs }: Element): boolean =>
  invisible.has(name) || attribs['hidden'] !== undefined || (name === 'input' && attribs['type'] === 'hidden');

/** Whether it is something to see without any text. */
const hasValue = ({ name }: Element): boolean => looks[name] === 'image' || looks[name] === 'input';

/** Items with several values each, side by side: most lists of products and articles are such. */
function isGrid(element: Element): boolean {
  const items = childrenOf(element).filter((one) => !isHidden(one));
  const [first] = items;
  if (first === undefined || items.length < 4 || first.name === 'tr' || first.name === 'td') return false;
  return items.every((one) => one.name === first.name && childrenOf(one).length > 1);
}

/** What is below an element that is nested too deep: everything that has a value, one after the other. */
function flattened(element: Element, indexOf: SamplePage['indexOf']): ViewNode[] {
  const found: ViewNode[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isHidden(next)) continue;
    const look = lookOf(next);
    const texts = next.children.filter(isText).map(({ data }) => data);
    if (texts.length > 0 || hasValue(next)) found.push({ index: indexOf(next), look: look === 'image' || look === 'input' ? look : 'inline', children: texts });
    waiting.push(...childrenOf(next).toReversed());
  }
  return found;
}

/** The page as it is shown: without what is invisible, and without elements that have nothing but one other. */
export function viewOf({ document, indexOf }: SamplePage): PageView {
  const standIn = new Map<number, number>();
  function nodesOf(parent: Element | Document, depth: number, areCards: boolean): (ViewNode | string)[] {
    return parent.children.flatMap((child) => (isText(child) ? [child.data] : isTag(child) && !isHidden(child) ? viewsOf(child, depth, areCards) : []));
  }
  function viewsOf(element: Element, depth: number, isCard: boolean): readonly (ViewNode | string)[] {
    if (depth > deepest) return flattened(element, indexOf);
    const index = indexOf(element);
    const own = lookOf(element);
    const grid = isGrid(element);
    const children = nodesOf(element, depth + 1, grid);
    const [only] = children;
    if (only === undefined) return hasValue(element) || own === 'break' ? [{ index, look: own, children }] : [];
    if (!isCard && !grid && children.length === 1 && typeof only === 'object' && (own === 'block' || own === 'inline')) {
      standIn.set(index, only.index);
      return children;
    }
    return [{ index, look: grid ? 'grid' : isCard ? 'card' : own, children }];
  }

  const roots = nodesOf(document, 0, false);
  const [order, valued]: [number[], number[]] = [[], []];
  const walk = (nodes: PageView['roots']): void => {
    for (const node of nodes) {
      if (typeof node === 'string' || node.look === 'break') continue;
      order.push(node.index);
      if (node.look === 'image' || node.look === 'input' || node.children.some((child) => typeof child === 'string')) valued.push(node.index);
      walk(node.children);
    }
  };
  walk(roots);
  return { roots, order, valued, standIn };
}
