import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../../../contract/tables/terms';
import type { Candidate, Surroundings } from './definition';

/** Points at records of a configured table. */
export const isLink = (type: FieldType): boolean => fieldTypeOf(type).family === 'link';

/** The relation that an inverse names: by id, key, or `table.field`. */
export function relationNamed(ref: string, around: Surroundings): { readonly tableId: string; readonly field: Candidate } | null {
  const [table = '', name] = ref.split('.');
  if (name === undefined) {
    const own = around.own(ref);
    return around.fieldById(ref) ?? (own && { tableId: around.tableId, field: own });
  }
  const tableId = around.tableIdOf(table);
  const field = tableId === null ? null : around.fieldOf(tableId, name);
  return tableId !== null && field ? { tableId, field } : null;
}

/** The table that a relation or inverse leads to; null if there is none. */
export function tableBehind({ type, options }: Candidate, around: Surroundings): string | null {
  if (type === 'inverse') return options.of === undefined ? null : (relationNamed(options.of, around)?.tableId ?? null);
  return isLink(type) ? around.tableIdOf(options.to ?? '') : null;
}
