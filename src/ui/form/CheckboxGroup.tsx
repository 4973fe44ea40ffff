import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import type { ReactElement } from 'react';
import { FieldGroup } from './Field';
import type { Choice } from './SelectField';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

/** Multiple choice from a few options. The value lists the selected ones in the order of the options. */
export function CheckboxGroup<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  choices,
}: BoundProps<I, O> & { readonly choices: readonly Choice[] }): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const chosen: unknown = field.value;
  const has = (value: string) => Array.isArray(chosen) && chosen.includes(value);
  return (
    <FieldGroup label={label} help={help} error={say(fieldState.error?.message, messages)}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))', columnGap: 2 }}>
        {choices.map((choice, index) => (
          <FormControlLabel
            key={choice.value}
            sx={{ mr: 0, alignItems: 'flex-start' }}
            control={
              <Checkbox
                sx={{ py: 0.75 }}
                checked={has(choice.value)}
                onBlur={field.onBlur}
                onChange={(_event, on) => field.onChange(choices.map((one) => one.value).filter((value) => (value === choice.value ? on : has(value))))}
                slotProps={{ input: index === 0 ? { ref: field.ref } : {} }}
              />
            }
            label={
              <Box sx={{ py: 0.625 }}>
                <Typography variant="body2">{choice.label}</Typography>
                {choice.detail !== undefined && (
                  <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
                    {choice.detail}
                  </Typography>
                )}
              </Box>
            }
          />
        ))}
      </Box>
    </FieldGroup>
  );
}
