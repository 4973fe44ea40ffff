import { Box, InputAdornment, OutlinedInput } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currencySymbol, fixedText, parseFixed } from '@/lib/money';
import { Field } from './Field';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

/** Formats a typed amount; anything else is returned unchanged. */
export const tidyAmount = (text: string, digits: number): string => {
  const value = parseFixed(text, digits);
  return value === null ? text : fixedText(value, digits, true);
};

/** An amount in major units, stored as the typed text (`12.50`). It is formatted on blur and parsed by the form's schema. */
export function MoneyField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  currency,
  digits,
  autoFocus = false,
  warning,
}: BoundProps<I, O> & {
  readonly currency: string;
  /** Decimals of the currency's minor unit. */
  readonly digits: number;
  readonly autoFocus?: boolean;
  /** Shown in place of the help for a value that is valid but unlikely. */
  readonly warning?: ReactNode;
}): ReactElement {
  const { i18n } = useTranslation('form');
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const value: unknown = field.value;
  const text = typeof value === 'string' ? value : '';
  const note =
    warning === undefined ? (
      help
    ) : (
      <Box component="span" role="status" sx={{ color: 'warning.main' }}>
        {warning}
      </Box>
    );
  return (
    <Field label={label} help={note} optional={optional} error={say(fieldState.error?.message, messages)}>
      {({ id, ...aria }) => (
        <OutlinedInput
          fullWidth
          id={id}
          name={name}
          value={text}
          autoFocus={autoFocus}
          error={aria['aria-invalid']}
          inputRef={field.ref}
          onChange={field.onChange}
          onBlur={() => {
            const tidy = tidyAmount(text, digits);
            if (tidy !== text) field.onChange(tidy);
            field.onBlur();
          }}
          startAdornment={<InputAdornment position="start">{currencySymbol(i18n.language, currency)}</InputAdornment>}
          slotProps={{ input: { ...aria, inputMode: 'decimal', autoComplete: 'off', maxLength: 40, style: { textAlign: 'right' } } }}
        />
      )}
    </Field>
  );
}
