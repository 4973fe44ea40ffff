import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import type { ContentTable, TableField } from '@contract/tables';
import { isComputed } from '@contract/tableTerms';
import { RecordInput } from './RecordInput';

/** Fields that a person fills in when a record is made. */
export const filledIn = (table: ContentTable, only?: readonly string[]): readonly TableField[] =>
  table.fields.filter(({ id, type, readonly, hidden }) => !isComputed(type) && type !== 'inverse' && !readonly && (only ? only.includes(id) : !hidden));

/** A default as the form may show it; what the server fills in by itself stays away. */
export const startValues = (fields: readonly TableField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ id, default: given }) => (given?.kind === 'value' ? [[id, given.value] as const] : [])));

/** The fields of one record under each other, with what is wrong at its place. */
export const RecordForm = ({
  fields,
  values,
  faults,
  round,
  onChange,
}: {
  readonly fields: readonly TableField[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, string>>;
  /** Another number begins the fields anew. */ readonly round: number;
  readonly onChange: (field: string, value: unknown, fault?: string) => void;
}): ReactElement => (
  <Box key={round} sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
    {fields.map((field) => (
      <RecordInput
        key={field.id}
        field={field}
        value={values[field.id] ?? null}
        fault={faults[field.id]}
        onChange={(value, wrong) => onChange(field.id, value, wrong)}
      />
    ))}
  </Box>
);
