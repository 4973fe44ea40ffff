import { formulaFunctions } from '@contract/tables/formulaFunctions';
import type { FormulaFunction } from '@contract/tables/formulaFunctions';
import type { TableField } from '@contract/tables/schemas';

/** A completion that replaces the text from `from` to the caret. */
export type Offer = { readonly id: string; readonly from: number; readonly text: string; readonly name: string; readonly fn: FormulaFunction | null };
const most = 8;
const braced = (name: string): string => `{${name.replace(/[\\{}]/g, '\\$&')}}`;

/** Completions at the caret: fields after an opening brace, functions (or fields by title) after the beginning of a word. Best match first. */
export function offersAt(source: string, caret: number, fields: readonly TableField[], self: string | null): Offer[] {
  const before = source.slice(0, caret);
  // No completion inside a string literal.
  if (/^[^"]*"(?:[^"]*"[^"]*")*[^"]*$/.test(before)) return [];
  const usable = fields.filter(({ id, type }) => id !== self && type !== 'button' && type !== 'password');
  const ofField = (field: TableField, from: number): Offer => ({ id: field.id, from, text: braced(field.title), name: field.title, fn: null });
  const open = /[{｛]([^{}｛｝]*)$/.exec(before);
  if (open) {
    const word = (open[1] ?? '').trim().toLowerCase();
    return usable
      .filter(({ title, key }) => title.toLowerCase().includes(word) || key.startsWith(word))
      .slice(0, most)
      .map((field) => ofField(field, open.index));
  }
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before)?.[0];
  if (word === undefined) return [];
  const from = caret - word.length;
  const upper = word.toUpperCase();
  const functions = formulaFunctions
    .filter(({ name }) => name.startsWith(upper))
    .map((fn): Offer => ({ id: fn.name, from, text: `${fn.name}(`, name: fn.name, fn }));
  return [...functions, ...usable.filter(({ title }) => title.toLowerCase().includes(word.toLowerCase())).map((field) => ofField(field, from))].slice(0, most);
}
