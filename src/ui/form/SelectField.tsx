import { NativeSelect, OutlinedInput } from '@mui/material';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import type { ReactElement } from 'react';
import { Field } from './Field';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

export type Choice<V extends string = string> = { readonly value: V; readonly label: string; readonly detail?: string };

/** A single choice in the platform's own select: quick on a keyboard and familiar on a phone. */
export function SelectField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  choices,
}: BoundProps<I, O> & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  return (
    <Field label={label} help={help} optional={optional} error={say(fieldState.error?.message, messages)}>
      {({ id, ...aria }) => (
        <NativeSelect
          fullWidth
          id={id}
          name={name}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          inputRef={field.ref}
          error={aria['aria-invalid']}
          input={<OutlinedInput />}
          inputProps={aria}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.detail === undefined ? choice.label : `${choice.label} · ${choice.detail}`}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}
