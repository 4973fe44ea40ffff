import { isTag, isText } from 'domhandler';
import type { Document, Element } from 'domhandler';
import { classesOf, escaped } from './names';
import type { NamePart } from './names';
import { ancestorsOf, childrenOf, find, isInline, isWithin, textOf } from './samplePage';
import { candidatesOf, exactOf, finderOf, isSame, longestSelector, selectorOf } from './selectors';

/** Elements of a page that repeat, such as the products of a list. */
export type RowChoice = { readonly selector: string; readonly elements: readonly Element[] };

/** Elements that are part of an item, never one. */
const parts = new Set(['html', 'body', 'head', 'td', 'th', 'thead', 'tfoot', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'img', 'br', 'hr', 'source']);
const items = new Set(['li', 'tr', 'article']);

/** How many values an element has: texts and images. */
function valuesIn(element: Element): number {
  let count = 0;
  for (const child of element.children) {
    if (isText(child)) count += 1;
    else if (isTag(child)) count += child.name === 'img' ? 1 : valuesIn(child);
  }
  return count;
}

type Group = { readonly part: NamePart; readonly elements: readonly Element[] };

/** The siblings that are like an element, and itself: of the same class, or without one of the same kind. */
function groupOf(element: Element): Group | null {
  const siblings = element.parent === null ? [] : childrenOf(element.parent).filter(({ name }) => name === element.name);
  if (siblings.length < 2) return null;
  const tag = escaped(element.name);
  const shared = classesOf(element)
    .map(({ name, isLayout }) => ({ name, isLayout, elements: siblings.filter((one) => classesOf(one).some((other) => other.name === name)) }))
    .filter(({ elements }) => elements.length > 1)
    .toSorted((one, other) => Number(one.isLayout) - Number(other.isLayout) || other.elements.length - one.elements.length)[0];
  if (shared !== undefined) return { part: { selector: `${tag}.${shared.name}`, cost: 2 }, elements: shared.elements };
  // The head of a table is no row of it.
  const withCells = element.name === 'tr' ? siblings.filter((one) => childrenOf(one).some(({ name }) => name === 'td')) : siblings;
  if (withCells.length < 2 || !withCells.includes(element)) return null;
  return { part: { selector: withCells.length < siblings.length ? `${tag}:has(td)` : tag, cost: 4 }, elements: withCells };
}

/** A selector of exactly these siblings. */
function selectorOfGroup({ part, elements }: Group, document: Document): string | null {
  const [first] = elements;
  if (first === undefined) return null;
  const finder = finderOf(document);
  const found = exactOf(candidatesOf(first, document, [part]), finder, elements);
  if (found !== null) return found;
  const parent = ancestorsOf(first)[0];
  const above = parent === undefined ? null : selectorOf(parent, document);
  const selector = parent === undefined ? `${part.selector}:root` : `${above ?? ''} > ${part.selector}`;
  if (parent !== undefined && above === null) return null;
  return selector.length <= longestSelector && isSame(finder(selector), elements) ? selector : null;
}

/** Items that stand in several containers that are alike, such as the lines of a grid. */
function acrossContainers({ part, elements }: Group, document: Document): RowChoice | null {
  const [first] = elements;
  const parent = first === undefined ? undefined : ancestorsOf(first)[0];
  const containers = parent === undefined ? null : groupOf(parent);
  if (containers === null || !part.selector.includes('.')) return null;
  const all = containers.elements.flatMap((container) => find(`:scope > ${part.selector}`, container));
  const above = selectorOfGroup(containers, document);
  if (above === null || all.length <= elements.length) return null;
  const short = first === undefined ? null : exactOf(candidatesOf(first, document, [part]), finderOf(document), all);
  const selector = short ?? `${above} > ${part.selector}`;
  return selector.length <= longestSelector && isSame(finderOf(document)(selector), all) ? { selector, elements: all } : null;
}

const mayBeRow = (element: Element): boolean => !parts.has(element.name) && !isInline(element.name) && (element.name !== 'a' || childrenOf(element).length > 1);

/** Repeated elements around an element, from the inside out. */
export function rowChoices(element: Element, document: Document): RowChoice[] {
  const found: RowChoice[] = [];
  for (const around of [element, ...ancestorsOf(element)].filter(mayBeRow)) {
    const group = groupOf(around);
    if (group === null) continue;
    const selector = selectorOfGroup(group, document);
    if (selector !== null) found.push({ selector, elements: group.elements });
    const wider = acrossContainers(group, document);
    if (wider !== null) found.push(wider);
  }
  return found;
}

const rowOf = (element: Element, { elements }: RowChoice): Element | undefined => elements.find((one) => isWithin(element, one));

/** The choice that an element most likely belongs to as an item: the innermost with several values in each, and enough of them; null: it stands alone. */
export function likelyRows(element: Element, choices: readonly RowChoice[]): RowChoice | null {
  const isRich = (choice: RowChoice): boolean => {
    const row = rowOf(element, choice);
    return row !== undefined && valuesIn(row) > 1;
  };
  const many = choices.filter(({ elements }) => elements.length > 2);
  const innermost = many.find(isRich) ?? choices.find((choice) => isRich(choice) && choice.selector.includes('.'));
  if (innermost === undefined) return many.find(({ elements }) => items.has(elements[0]?.name ?? '')) ?? null;
  // The same items in all of their containers rather than in one.
  return (
    choices.find(
      (one) => one !== innermost && one.elements.length > innermost.elements.length && innermost.elements.every((item) => one.elements.includes(item)),
    ) ?? innermost
  );
}

/** The repeated elements of which two elements are in different ones, at the same place as far as names tell; null: there are none. */
export function rowsOfPair(one: Element, other: Element, document: Document): RowChoice | null {
  if (one.name !== other.name || isWithin(one, other) || isWithin(other, one)) return null;
  const way = (element: Element, row: Element): string =>
    [element, ...ancestorsOf(element)]
      .slice(0, ancestorsOf(element).indexOf(row) + 1)
      .map(({ name }) => name)
      .join(' ');
  const fitting = rowChoices(one, document).filter((choice) => {
    const [first, second] = [rowOf(one, choice), rowOf(other, choice)];
    return first !== undefined && second !== undefined && first !== second && way(one, first) === way(other, second);
  });
  return likelyRows(one, fitting) ?? fitting[0] ?? null;
}

/** The beginning of the first text of a choice, by which a reader recognises it. */
export function exampleOf({ elements }: RowChoice): string {
  const first = elements
    .slice(0, 1)
    .flatMap((row) => [row, ...find('*', row)])
    .find((element) => element.children.some(isText));
  return first === undefined ? '' : textOf(first).slice(0, 40);
}
