import { columnOf } from '../../../../../contract/tables/terms';
import { presentForm } from './conversions';
import type { Past } from './conversions';
import type { FieldModel } from '../model';
import { isEmpty } from '../values/check';
import { isSnapshot } from './knownChoices';
import type { TableContext } from '../tableContext';
import type { HistoryRow } from './undoLines';

/**
 * A history entry in the present form of its fields, which may have been converted since. Values that no longer fit are kept in their old form and are
 * skipped.
 */
export function presentLine(past: Past, { table, timeZone }: TableContext, line: HistoryRow): HistoryRow {
  const at = new Date(line.at);
  const valueOf = (key: string, value: unknown): unknown => {
    const field = table.byName.get(key.split('@')[0] ?? '');
    return field ? presentForm(past, field, value, at, timeZone) : value;
  };
  const presentOr = (key: string, value: unknown): unknown => {
    const present = valueOf(key, value);
    return present === undefined && value !== undefined ? unfit : present;
  };
  const all = (from: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(from).map(([key, value]) => {
        if (key !== '$published' || value === null || !isSnapshot(value)) return [key, key.startsWith('$') ? value : presentOr(key, value)];
        // A published state without values that their fields can no longer hold.
        const values = Object.entries(value.values).flatMap(([id, one]) => {
          const present = valueOf(id, one);
          return present === undefined || present === null ? [] : [[id, present] as const];
        });
        return [key, { ...value, values: Object.fromEntries(values) }];
      }),
    );
  return { ...line, patch: all(line.patch), inverse: all(line.inverse) };
}
/** Marks a value that its field can no longer hold. */
export const unfit = Object.freeze({ unfit: true });

/** Whether an old value is still valid for its field, which may have changed type. */
export function fits(field: FieldModel, key: string, value: unknown): boolean {
  if (value === unfit) return false;
  if (isEmpty(value)) return true;
  if (key.includes('@')) return typeof value === 'string';
  const kind = columnOf[field.type];
  switch (kind) {
    case 'jsonb':
      return true;
    case 'none':
    case 'text[]':
    case 'uuid[]':
      return Array.isArray(value);
    case 'bigint':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' && shapes[kind].test(value);
  }
}
const shapes = {
  text: /^/,
  numeric: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d$/,
  timestamptz: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  uuid: /^[\da-f-]{36}$/,
} as const;
