import { OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import { Field } from './Field';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

/** A calendar day (`2026-11-20`, or an empty string) in the platform's own date control. */
export function DateField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  min,
  max,
}: BoundProps<I, O> & { readonly min?: string; readonly max?: string }): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const value: unknown = field.value;
  return (
    <Field label={label} help={help} optional={optional} error={say(fieldState.error?.message, messages)}>
      {({ id, ...aria }) => (
        <OutlinedInput
          fullWidth
          type="date"
          id={id}
          name={name}
          value={typeof value === 'string' ? value : ''}
          error={aria['aria-invalid']}
          inputRef={field.ref}
          onChange={field.onChange}
          onBlur={field.onBlur}
          slotProps={{ input: { ...aria, min: min ?? '2000-01-01', max: max ?? '2099-12-31' } }}
        />
      )}
    </Field>
  );
}
