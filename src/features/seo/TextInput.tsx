import { OutlinedInput } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { Field } from '@/ui/form/Field';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength: number;
  readonly placeholder?: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  readonly multiline?: boolean;
  readonly disabled?: boolean;
  /** A path or a code: no spell check. */
  readonly verbatim?: boolean;
};

/** A text of a part that is edited as a whole. */
export const TextInput = ({
  label,
  value,
  onChange,
  maxLength,
  placeholder = '',
  help,
  error,
  optional = false,
  multiline = false,
  disabled = false,
  verbatim = false,
}: Props): ReactElement => (
  <Field label={label} optional={optional} help={help} error={error}>
    {({ id, ...aria }) => (
      <OutlinedInput
        id={id}
        fullWidth
        multiline={multiline}
        {...(multiline ? { maxRows: 12 } : {})}
        disabled={disabled}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ input: { ...aria, maxLength, ...(verbatim ? { spellCheck: false, autoCapitalize: 'off' } : {}) } }}
      />
    )}
  </Field>
);
