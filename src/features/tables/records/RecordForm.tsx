import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutOf } from '@contract/tables/formLayout';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ErrorsElsewhere, FormSections } from '../parts/FormSections';
import { RecordInput } from './RecordInput';
import type { NewRecord } from './useNewRecord';

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
