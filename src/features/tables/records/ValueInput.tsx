import type { ReactElement } from 'react';
import type { TableField } from '@contract/tables/schemas';
import { FieldEditor, hasEditor } from '../fields/FieldEditor';

/** A value of a field in a form: its editor, or plain text where the record has a larger one (rich text as its HTML). */
export const ValueInput = ({
  field,
  label,
  value,
  id,
  fault,
  describedBy,
  onChange,
}: {
  readonly field: TableField;
  readonly label: string;
  readonly value: unknown;
  readonly id?: string;
  readonly fault?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly onChange: (value: unknown, fault?: string) => void;
}): ReactElement => {
  const aria = {
    ...(id === undefined ? {} : { id }),
    ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    ...(fault === undefined ? {} : { 'aria-invalid': true as const }),
  };
  if (hasEditor(field.type)) return <FieldEditor field={field} value={value} onChange={onChange} {...aria} />;
  const text = typeof value === 'string' ? value : '';
  const shared = { className: 'tables-input', 'aria-label': label, value: text, maxLength: 1_000_000, ...aria };
  return field.type === 'password' ? (
    <input {...shared} type="password" autoComplete="new-password" onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)} />
  ) : (
    <textarea {...shared} rows={5} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)} />
  );
};
