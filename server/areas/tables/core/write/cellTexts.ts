import { readText } from '../../../../../contract/tables/fieldText';
import type { ReadText } from '../../../../../contract/tables/fieldText';
import type { FieldFault } from '../../../../http/failure';
import type { FieldModel } from '../model';
import { valueOf } from '../values/check';
import { ValueFault } from '../values/faults';
import { isKeepable } from '../values/texts';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { titleFault } from '../values/choiceTitle';
import { lookupFor } from './textLookups';
import type { Found } from './textLookups';

/** A cell that is pasted or imported: a text, a JSON value of a file, or null for one that stays as it is. */
export type Cell = string | { readonly json: unknown } | null;
/** A column that is written; `at`: where its cells stand. */
export type Column = { readonly field: FieldModel; readonly at: number };
export type RowFault = { readonly field: string | null; readonly fault: FieldFault; readonly missing?: readonly string[] };
/** A row as values by field id. `id`: the record that it changes; null: a new one. */
export type Line = { readonly row: number; readonly id: string | null; readonly values: Record<string, unknown>; readonly faults: RowFault[] };
type Given = { readonly id: string | null; readonly cells: readonly Cell[] };

const isLookedUp = ({ type }: FieldModel): boolean => type === 'relation' || type === 'relations' || type === 'inverse' || type === 'user';
export const isChoice = ({ type }: FieldModel): boolean => type === 'select' || type === 'multiSelect';

const quoted = (part: string): string => (/[,，、;；\n"]/.test(part) || part !== part.trim() ? `"${part.replaceAll('"', '""')}"` : part);
/** A JSON value as a text that the reader of texts understands: lists as their parts. */
function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object'))
    return value.flatMap((one) => (one === null ? [] : [quoted(String(one))])).join(', ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
export const textOfCell = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : jsonText(cell?.json));

/** What the texts of cells stand for that name records and people, by field; one question a field, however many cells. `until`: records made later are not meant. */
export async function lookupsFor(
  w: WriteTx,
  context: TableContext,
  columns: readonly Column[],
  rows: readonly Given[],
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
/** A JSON value that its field takes as it is; everything else is read as a text. */
function readCell(field: FieldModel, cell: Exclude<Cell, null>, isJson: boolean, how: How): ReadText {
  if (typeof cell === 'string') {
    // In JSON a choice stands for itself by its id, as in the API, and a text in a field of JSON is that text.
    const isValue = isJson && cell !== '' && (field.type === 'json' || (field.type === 'select' && field.options.choices?.some(({ id }) => id === cell)));
    return isValue ? { ok: true, value: cell } : readText(field, cell, how);
  }
  try {
    return { ok: true, value: valueOf(field, cell.json) };
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    return readText(field, jsonText(cell.json), how);
  }
}

/**
 * Texts of all cells as values, by the one reader that typing uses too; titles of choices that there are not go into `missing`. What a new record is
 * not given, its defaults decide. `isJson`: texts come from a JSON file, where a text in a field of JSON is that text.
 */
export function readCells(
  timeZone: string,
  columns: readonly Column[],
  lookups: ReadonlyMap<string, Found>,
  rows: readonly Given[],
  missing: Map<FieldModel, Set<string>>,
  isJson = false,
): Line[] {
  const lines = rows.map(({ id }, row): Line => ({ row, id, values: {}, faults: [] }));
  for (const { field, at } of columns) {
    const known = new Map<string, ReadText>();
    const lookup = lookups.get(field.id);
    const how = { timeZone, ...(lookup ? { find: lookup.find } : {}) };
    const absent = missing.get(field) ?? new Set<string>();
    rows.forEach(({ cells }, row) => {
      const cell = cells[at] ?? null;
      const line = lines[row];
      if (cell === null || !line || (line.id === null && cell === '')) return;
      const value = (typeof cell === 'string' ? known.get(cell) : undefined) ?? readCell(field, cell, isJson, how);
      if (typeof cell === 'string' && cell.length < 200) known.set(cell, value);
      if (value.ok) {
        line.values[field.id] = value.value;
        return;
      }
      const several = value.missing.some((title) => lookup?.ambiguous.has(title));
      const unusable = isChoice(field) ? value.missing.flatMap((title) => titleFault(title) ?? []) : [];
      line.faults.push({ field: field.id, fault: unusable[0] ?? { code: several ? 'duplicate' : value.code }, missing: unusable[0] ? [] : value.missing });
      if (isChoice(field) && value.code === 'unknown' && unusable.length === 0) for (const title of value.missing) absent.add(title);
    });
    if (absent.size > 0) missing.set(field, absent);
  }
  return lines;
}
