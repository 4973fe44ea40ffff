import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { DateInput } from '../date/DateInput';
import { Field } from './Field';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

/** A calendar day (`2026-11-20`) or a time of day (`08:30`); an empty string, or null if the contract expects it, for none. */
export function DateField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  kind = 'date',
  nullable = false,
  min = '2000-01-01',
  max = '2099-12-31',
}: BoundProps<I, O> & {
  readonly kind?: 'date' | 'time';
  readonly nullable?: boolean;
  readonly min?: string;
  readonly max?: string;
}): ReactElement {
  const { t } = useTranslation('form');
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const value: unknown = field.value;
  const format = t(kind === 'date' ? 'date.format' : 'date.timeFormat');
  return (
    <Field label={label} help={help} optional={optional} error={say(fieldState.error?.message, { pattern: format, ...messages })}>
      {(aria) => (
        <DateInput
          {...aria}
          kind={kind}
          name={name}
          min={min}
          max={max}
          value={typeof value === 'string' ? value : ''}
          inputRef={field.ref}
          onChange={(next) => field.onChange(nullable && next === '' ? null : next)}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
