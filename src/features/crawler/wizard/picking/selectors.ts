import { isTag } from 'domhandler';
import type { Document, Element } from 'domhandler';
import { escaped, nameParts } from './names';
import type { NamePart } from './names';
import { ancestorsOf, childrenOf, find, parentOf } from './samplePage';

/** Characters of the expression of a column and of the selector of a row that the contract allows. */
export const longestSelector = 300;
/** Ancestors and their names that a selector may begin with. */
const mostAncestors = 12;
/** Rows in which a selector is tried. */
const mostCompared = 40;

/** What selectors find below a root, each looked up once. */
function createFinder(root: Document | Element) {
  const known = new Map<string, ReadonlySet<Element>>();
  return (selector: string): ReadonlySet<Element> => {
    let found = known.get(selector);
    if (found === undefined) known.set(selector, (found = new Set(find(selector, root))));
    return found;
  };
}
type Finder = ReturnType<typeof createFinder>;
const finders = new WeakMap<Document | Element, Finder>();
export function finderOf(root: Document | Element): Finder {
  let finder = finders.get(root);
  if (finder === undefined) finders.set(root, (finder = createFinder(root)));
  return finder;
}

export const isSame = (found: ReadonlySet<Element>, requested: readonly Element[]): boolean =>
  found.size === requested.length && requested.every((one) => found.has(one));

/** Names of ancestors within a root, with what they cost in front of a selector. */
const anchorsOf = (element: Element, root: Document | Element): { readonly selector: string; readonly cost: number }[] => {
  const all = ancestorsOf(element);
  const inside = isTag(root) ? all.slice(0, Math.max(0, all.indexOf(root))) : all;
  return inside.slice(0, mostAncestors).flatMap((ancestor, distance) =>
    nameParts(ancestor)
      .filter(({ cost }) => cost < 4)
      .map(({ selector, cost }) => ({ selector, cost: 1 + cost + distance * 0.2 })),
  );
};

/** Its place among the siblings, as far as it takes one. */
function stepOf(element: Element): string {
  const { name, parent } = element;
  const siblings = parent === null ? [element] : childrenOf(parent);
  const own = nameParts(element).find(
    ({ selector, cost }) => cost < 4 && siblings.every((one) => one === element || !nameParts(one).some((part) => part.selector === selector)),
  );
  if (own !== undefined) return own.selector;
  const alike = siblings.filter((one) => one.name === name);
  return alike.length === 1 ? escaped(name) : `${escaped(name)}:nth-of-type(${alike.indexOf(element) + 1})`;
}

/** The way from an ancestor down to an element by places: the last resort, which always exists. */
function pathTo(element: Element, root: Document | Element, isEnough: (selector: string) => boolean): string | null {
  const finder = finderOf(root);
  let path = stepOf(element);
  // The elements at which the path begins, one for each that it finds. Only one that finds a single element is worth a search of the whole page.
  let beginnings: readonly Element[] = [...finder(path)];
  const above = (selector: string): Element[] => {
    const found = finder(selector);
    return beginnings.flatMap((one) => parentOf(one) ?? []).filter((parent) => found.has(parent));
  };
  for (const ancestor of ancestorsOf(element)) {
    if (beginnings.length === 1 && isEnough(path)) return path;
    if (ancestor === root) return `:scope > ${path}`;
    const anchor = nameParts(ancestor).find(({ selector, cost }) => cost < 4 && above(selector).length === 1 && isEnough(`${selector} > ${path}`));
    if (anchor !== undefined) return `${anchor.selector} > ${path}`;
    const step = stepOf(ancestor);
    beginnings = above(step);
    path = `${step} > ${path}`;
    if (path.length > longestSelector) return null;
  }
  if (isEnough(path)) return path;
  // The outermost element may have namesakes further in.
  const [first = '', ...rest] = path.split(' > ');
  return [`${first}:root`, ...rest].join(' > ');
}

type Candidate = { readonly anchor: string | null; readonly part: string; readonly cost: number };
const written = ({ anchor, part }: Pick<Candidate, 'anchor' | 'part'>): string => (anchor === null ? part : `${anchor} ${part}`);

/** Ways to name an element below a root, the cheapest first. `parts`: its own names. */
export function candidatesOf(element: Element, root: Document | Element, parts: readonly NamePart[] = nameParts(element)): Candidate[] {
  const anchors = anchorsOf(element, root);
  const all = parts.flatMap(({ selector: part, cost }): Candidate[] => [
    { anchor: null, part, cost },
    ...anchors.map((anchor) => ({ anchor: anchor.selector, part, cost: cost + anchor.cost })),
  ]);
  return all.filter((one) => written(one).length <= longestSelector).toSorted((one, other) => one.cost - other.cost);
}

/** Whether elements are inside any of these. Each element is looked at once, because thousands may be in the same deep one. */
function belowAny(around: ReadonlySet<Element>): (element: Element) => boolean {
  const known = new Map<Element, boolean>();
  const isBelow = (element: Element): boolean => {
    const parent = parentOf(element);
    if (parent === null) return false;
    let found = known.get(parent);
    if (found === undefined) known.set(parent, (found = around.has(parent) || isBelow(parent)));
    return found;
  };
  return isBelow;
}

/** Whether a candidate finds these elements and no other. Reads it from what its two halves find, because there are hundreds of candidates. */
function isExact(finder: Finder, { anchor, part }: Candidate, requested: readonly Element[]): boolean {
  const found = finder(part);
  if (anchor === null) return isSame(found, requested);
  if (found.size < requested.length) return false;
  const isBelow = belowAny(finder(anchor));
  const allowed = new Set(requested);
  let count = 0;
  for (const one of found) {
    if (!isBelow(one)) continue;
    if (!allowed.has(one)) return false;
    count += 1;
  }
  return count === requested.length;
}

/** The cheapest candidate that finds these elements and no other. */
export function exactOf(candidates: readonly Candidate[], finder: Finder, requested: readonly Element[]): string | null {
  const found = candidates.find((one) => isExact(finder, one, requested));
  return found === undefined ? null : written(found);
}

/** A short selector that finds exactly one element of the page; null: only a very long one would. */
export function selectorOf(element: Element, document: Document): string | null {
  const finder = finderOf(document);
  const found = exactOf(candidatesOf(element, document), finder, [element]);
  if (found !== null) return found;
  const isEnough = (selector: string): boolean => isSame(finder(selector), [element]);
  const path = pathTo(element, document, isEnough);
  return path !== null && path.length <= longestSelector && isEnough(path) ? path : null;
}

/**
 * A selector that finds exactly one element within its row; of several such, one that finds something in most rows. Empty: the row itself; null: only a very
 * long one would do. `rows`: all of them.
 */
export function selectorWithin(element: Element, row: Element, rows: readonly Element[]): string | null {
  if (element === row) return '';
  const finder = finderOf(row);
  const compared = rows.slice(0, mostCompared);
  const missing = (selector: string): number => compared.filter((one) => finderOf(one)(selector).size === 0).length / compared.length;
  const isEnough = (selector: string): boolean => isSame(finder(selector), [element]);
  // In a row that no element contains, a selector may also begin with the row itself, which only a search tells.
  const fitting = candidatesOf(element, row)
    .filter((one) => isExact(finder, one, [element]) && isEnough(written(one)))
    .slice(0, 8)
    .map((one) => ({ selector: written(one), cost: one.cost }));
  const path = pathTo(element, row, isEnough);
  if (path !== null && path.length <= longestSelector && isEnough(path)) fitting.push({ selector: path, cost: 6 });
  const [best] = fitting.map(({ selector, cost }) => ({ selector, cost: cost + missing(selector) * 8 })).toSorted((one, other) => one.cost - other.cost);
  return best?.selector ?? null;
}
