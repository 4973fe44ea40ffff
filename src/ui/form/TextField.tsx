import { Box, OutlinedInput } from '@mui/material';
import type { OutlinedInputProps } from '@mui/material';
import { useController } from 'react-hook-form';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import type { ReactElement, ReactNode } from 'react';
import { Field } from './Field';
import type { FieldProps } from './Field';
import { useFieldErrorMessage } from './useFieldErrorMessage';
import type { OwnMessages } from './useFieldErrorMessage';

/** Properties of every bound field: where its value is stored, and its own messages for some errors. */
export type BoundProps<I extends FieldValues, O> = FieldProps & {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
  readonly messages?: OwnMessages;
};

type TextFieldProps<I extends FieldValues, O> = BoundProps<I, O> &
  Pick<
    OutlinedInputProps,
    'type' | 'autoComplete' | 'placeholder' | 'multiline' | 'minRows' | 'maxRows' | 'autoFocus' | 'disabled' | 'readOnly' | 'startAdornment' | 'endAdornment'
  > & {
    /** The contract expects `null`, not an empty string, for an empty field. */
    readonly nullable?: boolean;
    readonly maxLength?: number;
    readonly inputMode?: 'text' | 'email' | 'tel' | 'url' | 'numeric';
    /** A code, an address, a name in Latin letters: no spell check and no automatic capitals. */
    readonly verbatim?: boolean;
    readonly onTyped?: (value: string) => void;
    /** Shown between the control and its note, such as a list of suggestions. */
    readonly below?: ReactNode;
  };

/** A text field with one or several lines. */
export function TextField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  nullable = false,
  maxLength,
  inputMode,
  verbatim = false,
  onTyped,
  below,
  type = 'text',
  ...input
}: TextFieldProps<I, O>): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const value: unknown = field.value;
  return (
    <Field label={label} help={help} optional={optional} error={say(fieldState.error?.message, messages)}>
      {({ id, ...aria }) => (
        <>
          <OutlinedInput
            {...input}
            fullWidth
            type={type}
            id={id}
            name={name}
            value={typeof value === 'string' ? value : ''}
            error={aria['aria-invalid']}
            inputRef={field.ref}
            onBlur={field.onBlur}
            onChange={(event) => {
              const typed = event.target.value;
              field.onChange(nullable && typed === '' ? null : typed);
              onTyped?.(typed);
            }}
            slotProps={{
              input: {
                ...aria,
                ...(maxLength !== undefined && { maxLength }),
                ...(inputMode && { inputMode }),
                ...(verbatim && { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' }),
              },
            }}
          />
          {below !== undefined && <Box sx={{ mt: 0.5 }}>{below}</Box>}
        </>
      )}
    </Field>
  );
}
