import { layoutOf, placedIn } from '@contract/tables/formLayout';
import { isNothing } from '@contract/tables/formTerms';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';

/** The fields that users fill in for a new record, in the order of the table's form layout; `only`: those of a view. */
export function fillableFields(table: ContentTable, only?: readonly string[]): readonly TableField[] {
  const placed = placedIn(table.layout);
  const fields = table.fields.filter(
    ({ id, type, readonly, hidden }) => !isComputed(type) && type !== 'inverse' && !readonly && (only ? only.includes(id) : !hidden || placed.has(id)),
  );
  return layoutOf(table, fields).fields;
}

/** Whether the server would refuse a new record with only `values`: without drafts, required values must be present from the start. */
export const needsRequiredValues = (table: ContentTable, values: Readonly<Record<string, unknown>>): boolean =>
  !table.drafts && fillableFields(table).some((field) => field.required && field.default === null && isNothing(values[field.id]));
