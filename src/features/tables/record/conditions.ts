import { matchFilter, matched } from '@contract/tables/matchFilter';
import type { MatchMoment } from '@contract/tables/matchFilter';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';

export type FieldState = { readonly hidden: boolean; readonly required: boolean; readonly readonly: boolean };

/** The effect of the table's conditions on each field for the values being edited; by field id. */
export function fieldStates(
  table: Pick<ContentTable, 'fields'>,
  values: Readonly<Record<string, unknown>>,
  system: Readonly<Record<string, unknown>>,
  moment: MatchMoment,
): Readonly<Record<string, FieldState>> {
  const record = matched(table.fields, values, system);
  return Object.fromEntries(
    table.fields.map((field) => {
      const holds = (then: 'hidden' | 'required' | 'readonly'): boolean =>
        field.conditions.some((one) => one.then === then && matchFilter(one.filter, record, moment));
      return [field.id, { hidden: holds('hidden'), required: field.required || holds('required'), readonly: field.readonly || holds('readonly') }];
    }),
  );
}

/** Whether users write values of this field: an inverse field only where its other end is a list of links. */
export function isTyped(field: TableField, tables: readonly ContentTable[]): boolean {
  if (isComputed(field.type)) return false;
  if (field.type !== 'inverse') return true;
  return tables.some(({ fields }) => fields.some(({ id, type }) => id === field.options.of && type === 'relations'));
}
