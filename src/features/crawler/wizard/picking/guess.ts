import type { Element } from 'domhandler';
import type { ExtractionRule } from '../draft';
import { classesOf, isStable } from './names';
import { ancestorsOf, childrenOf, textOf } from './samplePage';

type Column = ExtractionRule['columns'][number];

/** Attributes that a column may read besides the text, those with a value first that people want most. */
const order = ['href', 'src', 'data-src', 'data-original', 'data-lazy-src', 'srcset', 'alt', 'title', 'datetime', 'content', 'value', 'aria-label'];
export const attributesOf = (element: Element): string[] => order.filter((name) => (element.attribs[name] ?? '').trim() !== '');

/** What a column reads of an element unless somebody chooses otherwise; empty: its text. */
export function usualAttribute(element: Element): string {
  const found = attributesOf(element);
  if (element.name === 'img') {
    // Until a page is scrolled, the source is a picture of one pixel.
    const later = found.find((name) => name.startsWith('data-'));
    return later !== undefined && /^(?:data:|$)/.test(element.attribs['src'] ?? '') ? later : found.includes('src') ? 'src' : (later ?? 'alt');
  }
  if (element.name === 'time' && found.includes('datetime')) return 'datetime';
  if (element.name === 'meta') return 'content';
  if (element.name === 'input') return 'value';
  return textOf(element) === '' ? (found[0] ?? '') : '';
}

export const valueOf = (element: Element, attribute: string): string => (attribute === '' ? textOf(element) : (element.attribs[attribute] ?? ''));

/** With a currency before it and a unit behind it. */
const numberText = /^[^\p{L}\d]{0,4}(?:[A-Z]{2,3}\s?)?\d[\d.,\s'\u{a0}]*\D{0,6}$/u;
const dateText =
  /^\D{0,6}(?:\d{4}[-/.\u5e74]\s?\d{1,2}[-/.\u6708]\s?\d{1,2}|\d{1,2}[ .]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? \d{4})/i;

/** The type that most values of a column have. */
export function typeOf(values: readonly string[], attribute: string): Column['type'] {
  if (['href', 'src', 'data-src', 'data-original', 'data-lazy-src'].includes(attribute)) return 'url';
  if (attribute === 'datetime') return 'date';
  const texts = values.map((value) => value.trim()).filter((value) => value !== '');
  if (texts.length === 0) return 'text';
  const share = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length / texts.length;
  if (share(dateText) > 0.7) return 'date';
  // Numbers that begin with 0 or a plus are telephone numbers and codes.
  return share(numberText) > 0.7 && share(/^(?:\+|0\d)[\d\s]{2}/) === 0 ? 'number' : 'text';
}

/** Names that elements have of their own, in the reader's language. */
export type UsualNames = {
  readonly title: string;
  readonly image: string;
  readonly link: string;
  readonly date: string;
  readonly price: string;
  readonly text: string;
};

/** `product-card__price` is a price. */
function termOf(name: string): string {
  const [last = ''] = name.split('__').slice(-1);
  const terms = (last.split('--')[0] ?? last)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[-_\s]+/)
    .filter((word) => word.length > 1);
  return terms.slice(-2).join(' ').toLowerCase();
}

/** The label beside a value: the head of its column, the term of its description, the cell to its left. */
function labelOf(element: Element): string {
  const cell = [element, ...ancestorsOf(element)].find(({ name }) => name === 'td' || name === 'dd');
  const siblings = cell?.parent ? childrenOf(cell.parent) : [];
  if (cell === undefined) return '';
  const before = siblings
    .slice(0, siblings.indexOf(cell))
    .toReversed()
    .find(({ name }) => name === 'th' || name === 'dt');
  if (before !== undefined) return textOf(before);
  const table = ancestorsOf(cell).find(({ name }) => name === 'table');
  const head = table === undefined || cell.name === 'dd' ? undefined : tableRows(table)[0];
  const title = head === undefined ? undefined : childrenOf(head)[siblings.indexOf(cell)];
  return title?.name === 'th' ? textOf(title) : '';
}
const tableRows = (node: Element): Element[] =>
  childrenOf(node).flatMap((child) => (child.name === 'tr' ? [child] : ['thead', 'tbody'].includes(child.name) ? tableRows(child) : []));

/** A name for a column that none of `others` has. */
export function nameFor(element: Element, attribute: string, usual: UsualNames, others: readonly string[]): string {
  const named = [element, ...ancestorsOf(element).slice(0, 1)].flatMap(({ attribs }) => attribs['itemprop'] ?? []).find(isStable);
  const ofClass = classesOf(element)
    .filter(({ isLayout }) => !isLayout)
    .map(({ name }) => termOf(name))
    .find((word) => word !== '');
  const label = labelOf(element)
    .replace(/[:：]\s*$/, '')
    .slice(0, 40);
  const plain = /^h[1-6]$/.test(element.name) ? usual.title : element.name === 'img' ? usual.image : element.name === 'time' ? usual.date : '';
  const priced = /[$€£¥￥]|\u5143/.test(textOf(element)) && attribute === '' && textOf(element).length < 20 ? usual.price : '';
  const isAddress = attribute === 'href';
  const base = [named, label, isAddress ? usual.link : '', plain, priced, ofClass, usual.text].find((name) => name !== undefined && name !== '') ?? usual.text;
  let [name, n] = [base.slice(0, 50), 2];
  while (others.includes(name)) name = `${base.slice(0, 50)} ${String(n++)}`;
  return name;
}
