import type { ReactElement } from 'react';
import { layoutOf, placedIn } from '@contract/formLayout';
import type { ContentTable, TableField } from '@contract/tables';
import { isComputed } from '@contract/tableTerms';
import { FaultsElsewhere, FormSections } from '../parts/FormSections';
import { RecordInput } from './RecordInput';

/** Fields that a person fills in when a record is made, as the form of the table orders them; `only`: those of a view. */
export function filledIn(table: ContentTable, only?: readonly string[]): readonly TableField[] {
  const placed = placedIn(table.layout);
  const fields = table.fields.filter(
    ({ id, type, readonly, hidden }) => !isComputed(type) && type !== 'inverse' && !readonly && (only ? only.includes(id) : !hidden || placed.has(id)),
  );
  return layoutOf(table, fields).fields;
}

/** A default as the form may show it; what the server fills in by itself stays away. */
export const startValues = (fields: readonly TableField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ id, default: given }) => (given?.kind === 'value' ? [[id, given.value] as const] : [])));

/** The fields of one record by the layout of its table, with what is wrong at its place. */
export const RecordForm = ({
  table,
  fields,
  values,
  faults,
  round,
  reveal,
  onChange,
}: {
  readonly table: Pick<ContentTable, 'layout' | 'fields'>;
  readonly fields: readonly TableField[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, string>>;
  /** Another number begins the fields anew. */ readonly round: number;
  /** Another number shows the first fault. */ readonly reveal: number;
  readonly onChange: (field: string, value: unknown, fault?: string) => void;
}): ReactElement => {
  const form = layoutOf(table, fields);
  return (
    <>
      <FaultsElsewhere fields={table.fields} form={form} faults={faults} />
      <FormSections key={round} form={form} faulty={(id) => faults[id] !== undefined} reveal={reveal}>
        {(field) => (
          <RecordInput field={field} value={values[field.id] ?? null} fault={faults[field.id]} onChange={(value, wrong) => onChange(field.id, value, wrong)} />
        )}
      </FormSections>
    </>
  );
};
