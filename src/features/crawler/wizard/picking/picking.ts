import type { Document, Element } from 'domhandler';
import type { ExtractionRule } from '../draft';
import { nameFor, typeOf, usualAttribute, valueOf } from './guess';
import type { UsualNames } from './guess';
import { rowsOfPair } from './rows';
import type { RowChoice } from './rows';
import { ancestorsOf, isWithin } from './samplePage';
import { finderOf, selectorOf, selectorWithin } from './selectors';

export type Column = ExtractionRule['columns'][number];
/** The part of an extraction that is chosen on a page. */
export type Choices = Pick<ExtractionRule, 'rows' | 'columns'>;
/** What came of choosing an element. `rows`: each of so many elements is a row now, and these columns, which are not inside them, were removed. */
export type Outcome =
  | { readonly kind: 'added' | 'present'; readonly name: string }
  | { readonly kind: 'rows'; readonly count: number; readonly removed: readonly string[] }
  | { readonly kind: 'page' | 'outside' | 'no_selector' | 'full' };
export type Result = { readonly choices: Choices; readonly outcome: Outcome };

const mostColumns = 40;
export const rowsOf = ({ rows }: Choices, document: Document): Element[] => (rows.trim() === '' ? [] : [...finderOf(document)(rows)]);

function firstIn(selector: string, root: Document | Element): Element | null {
  const [first = null] = finderOf(root)(selector);
  return first;
}

/** The element that a column reads in each row; without rows, in the page. `null`: none. */
export function readBy(column: Column, choices: Choices, document: Document): (Element | null)[] {
  if (column.from !== 'css') return [];
  if (choices.rows.trim() === '') return [firstIn(column.expression, document)];
  return rowsOf(choices, document).map((row) => (column.expression.trim() === '' ? row : firstIn(column.expression, row)));
}

function withType(column: Column, choices: Choices, document: Document): Column {
  const values = readBy(column, choices, document).flatMap((element) => (element === null ? [] : [valueOf(element, column.attribute)]));
  return { ...column, type: typeOf(values.slice(0, 50), column.attribute) };
}

/** Makes each of the elements a row, or the page (`null`). Columns read the same elements as before; those that are not inside a row are removed. */
export function withRows(choices: Choices, choice: RowChoice | null, document: Document): Result {
  if (choice === null) {
    const columns = choices.columns.flatMap((column) => {
      if (column.from !== 'css') return [column];
      const element = readBy(column, choices, document).find((one) => one !== null);
      const expression = element == null ? null : selectorOf(element, document);
      return expression === null ? [] : [{ ...column, expression }];
    });
    return { choices: { rows: '', columns }, outcome: { kind: 'page' } };
  }
  const next: Choices = { rows: choice.selector, columns: [] };
  const items = new Set(choice.elements);
  const removed: string[] = [];
  const columns = choices.columns.flatMap((column) => {
    if (column.from !== 'css') return [column];
    const elements = readBy(column, choices, document);
    for (const element of elements) {
      const row = element === null ? undefined : [element, ...ancestorsOf(element)].find((one) => items.has(one));
      const expression = element === null || row === undefined ? null : selectorWithin(element, row, choice.elements);
      if (expression !== null) return [withType({ ...column, expression }, next, document)];
    }
    removed.push(column.name);
    return [];
  });
  return { choices: { ...next, columns }, outcome: { kind: 'rows', count: choice.elements.length, removed } };
}

/** Adds a column for an element. A second element that is like one before, in another item of a list, makes the items rows instead. */
export function pick(choices: Choices, element: Element, document: Document, usual: UsualNames): Result {
  const rows = rowsOf(choices, document);
  const row = rows.find((one) => isWithin(element, one));
  const refused = (kind: 'outside' | 'no_selector' | 'full'): Result => ({ choices, outcome: { kind } });
  if (choices.rows.trim() !== '' && row === undefined) return refused('outside');
  const present = choices.columns.find((column) => readBy(column, choices, document).includes(element));
  if (present !== undefined && present.attribute === usualAttribute(element)) return { choices, outcome: { kind: 'present', name: present.name } };
  if (row === undefined)
    for (const column of choices.columns) {
      const [other] = readBy(column, choices, document);
      const pair = other ? rowsOfPair(element, other, document) : null;
      if (pair !== null) return withRows(choices, pair, document);
    }
  if (choices.columns.length >= mostColumns) return refused('full');
  const expression = row === undefined ? selectorOf(element, document) : selectorWithin(element, row, rows);
  if (expression === null) return refused('no_selector');
  const attribute = usualAttribute(element);
  const name = nameFor(
    element,
    attribute,
    usual,
    choices.columns.map((one) => one.name),
  );
  const column: Column = { name, type: 'text', from: 'css', expression, attribute, many: false, required: false };
  return { choices: { ...choices, columns: [...choices.columns, withType(column, choices, document)] }, outcome: { kind: 'added', name } };
}

/** A column that reads another attribute of its elements, or their text. */
export const withAttribute = (column: Column, attribute: string, choices: Choices, document: Document): Column =>
  withType({ ...column, attribute }, choices, document);
