import { readText } from '../../../../../contract/tables/fieldText';
import type { ReadText } from '../../../../../contract/tables/fieldText';
import type { FieldError } from '../../../../http/failure';
import type { FieldModel } from '../model';
import { valueOf } from '../values/check';
import { ValueError } from '../values/valueErrors';
import { isKeepable } from '../values/texts';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { titleError } from '../values/choiceTitle';
import { lookupFor } from './textLookups';
import type { Found } from './textLookups';

/** A pasted or imported cell: a text, a JSON value from a file, or null to leave the value unchanged. */
export type Cell = string | { readonly json: unknown } | null;
/** A column that is written; `at`: index of its cells. */
export type Column = { readonly field: FieldModel; readonly at: number };
export type CellError = { readonly field: string | null; readonly error: FieldError; readonly missing?: readonly string[] };
/** A row as values by field id. `id`: the record to update; null: a new one. */
export type CellRow = { readonly row: number; readonly id: string | null; readonly values: Record<string, unknown>; readonly errors: CellError[] };
type TextRow = { readonly id: string | null; readonly cells: readonly Cell[] };

const isLookedUp = ({ type }: FieldModel): boolean => type === 'relation' || type === 'relations' || type === 'inverse' || type === 'user';
export const isChoice = ({ type }: FieldModel): boolean => type === 'select' || type === 'multiSelect';

const quoted = (part: string): string => (/[,，、;；\n"]/.test(part) || part !== part.trim() ? `"${part.replaceAll('"', '""')}"` : part);
/** A JSON value as text that the text parser accepts; lists by their elements. */
function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object'))
    return value.flatMap((one) => (one === null ? [] : [quoted(String(one))])).join(', ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
export const textOfCell = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : jsonText(cell?.json));

/** Resolves names of records and people in cells, by field; one query per field, whatever the number of cells. `until`: ignores records created later. */
export async function lookupsFor(
  w: WriteTx,
  context: TableContext,
  columns: readonly Column[],
  rows: readonly TextRow[],
  until?: Date,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const { field, at } of columns) {
    if (!isLookedUp(field)) continue;
    const texts = new Set(rows.map(({ cells }) => textOfCell(cells[at])).filter((text) => text !== '' && isKeepable(text)));
    found.set(field.id, await lookupFor(w, context, field, texts, until));
  }
  return found;
}

type How = { readonly timeZone: string; readonly find?: Found['find'] };
/** Reads a cell: a JSON value is stored as such where the field accepts it, anything else is parsed as text. */
function readCell(field: FieldModel, cell: Exclude<Cell, null>, isJson: boolean, how: How): ReadText {
  if (typeof cell === 'string') {
    // In JSON, choices are given by id, as in the API, and a text in a JSON field is that text.
    const isValue = isJson && cell !== '' && (field.type === 'json' || (field.type === 'select' && field.options.choices?.some(({ id }) => id === cell)));
    return isValue ? { ok: true, value: cell } : readText(field, cell, how);
  }
  try {
    return { ok: true, value: valueOf(field, cell.json) };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return readText(field, jsonText(cell.json), how);
  }
}

/**
 * Parses the texts of all cells with the parser used for typed input; unknown choice titles are added to `missing`. Defaults fill what a new record
 * omits. `isJson`: cells come from a JSON file, where a text in a JSON field is that text.
 */
export function readCells(
  timeZone: string,
  columns: readonly Column[],
  lookups: ReadonlyMap<string, Found>,
  rows: readonly TextRow[],
  missing: Map<FieldModel, Set<string>>,
  isJson = false,
): CellRow[] {
  const cellRows = rows.map(({ id }, row): CellRow => ({ row, id, values: {}, errors: [] }));
  for (const { field, at } of columns) {
    const known = new Map<string, ReadText>();
    const lookup = lookups.get(field.id);
    const how = { timeZone, ...(lookup ? { find: lookup.find } : {}) };
    const absent = missing.get(field) ?? new Set<string>();
    rows.forEach(({ cells }, row) => {
      const cell = cells[at] ?? null;
      const line = cellRows[row];
      if (cell === null || !line || (line.id === null && cell === '')) return;
      const value = (typeof cell === 'string' ? known.get(cell) : undefined) ?? readCell(field, cell, isJson, how);
      if (typeof cell === 'string' && cell.length < 200) known.set(cell, value);
      if (value.ok) {
        line.values[field.id] = value.value;
        return;
      }
      const several = value.missing.some((title) => lookup?.ambiguous.has(title));
      const unusable = isChoice(field) ? value.missing.flatMap((title) => titleError(title) ?? []) : [];
      line.errors.push({ field: field.id, error: unusable[0] ?? { code: several ? 'duplicate' : value.code }, missing: unusable[0] ? [] : value.missing });
      if (isChoice(field) && value.code === 'unknown' && unusable.length === 0) for (const title of value.missing) absent.add(title);
    });
    if (absent.size > 0) missing.set(field, absent);
  }
  return cellRows;
}
