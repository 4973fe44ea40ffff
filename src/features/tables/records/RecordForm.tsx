import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutOf, placedIn } from '@contract/tables/formLayout';
import { isNothing } from '@contract/tables/formTerms';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ErrorsElsewhere, FormSections } from '../parts/FormSections';
import { RecordInput } from './RecordInput';
import type { NewRecord } from './useNewRecord';

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

/** Default values shown in the form, without those that the server fills in. */
export const startValues = (fields: readonly TableField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ id, default: defaultValue }) => (defaultValue?.kind === 'value' ? [[id, defaultValue.value] as const] : [])));

/** The fields of a new record by the form layout of its table, with errors at their fields and general errors above. */
export const RecordForm = ({ table, record }: { readonly table: Pick<ContentTable, 'layout' | 'fields'>; readonly record: NewRecord }): ReactElement => {
  const { t } = useTranslation('tables');
  const { fields, values, errors, failure, round, reveal, change } = record;
  const form = layoutOf(table, fields);
  return (
    <>
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      <ErrorsElsewhere fields={table.fields} form={form} errors={errors} />
      <FormSections key={round} form={form} faulty={(id) => errors[id] !== undefined} reveal={reveal}>
        {(field) => (
          <RecordInput field={field} value={values[field.id] ?? null} error={errors[field.id]} onChange={(value, wrong) => change(field.id, value, wrong)} />
        )}
      </FormSections>
    </>
  );
};
