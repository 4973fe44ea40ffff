import { Box, Radio, Typography } from '@mui/material';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import type { ReactElement } from 'react';
import { FieldGroup } from './Field';
import type { Choice } from './SelectField';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

/** A single choice from options that need a sentence each: bordered rows with a real radio inside, or cards under a picture each. */
export function RadioCards<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  choices,
  picture,
}: BoundProps<I, O> & { readonly choices: readonly Choice[]; readonly picture?: (value: string) => ReactElement }): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const id = useId();
  return (
    <FieldGroup label={label} help={help} error={say(fieldState.error?.message, messages)}>
      <Box sx={{ display: 'grid', gap: 1, ...(picture && { gridTemplateColumns: 'repeat(auto-fill, minmax(min(160px, 100%), 1fr))' }) }}>
        {choices.map((choice, index) => {
          const on = field.value === choice.value;
          return (
            <Box
              component="label"
              key={choice.value}
              sx={{
                display: 'flex',
                gap: 1,
                ...(picture && { flexWrap: 'wrap', alignContent: 'flex-start' }),
                p: 1.5,
                border: 1,
                borderRadius: 1,
                cursor: 'pointer',
                borderColor: on ? 'var(--accent)' : 'divider',
                '&:hover': { borderColor: on ? 'var(--accent)' : 'text.secondary' },
                '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 1 },
              }}
            >
              {picture && <Box sx={{ flex: '0 0 100%' }}>{picture(choice.value)}</Box>}
              <Radio
                disableRipple
                sx={{ p: 0, alignSelf: 'flex-start' }}
                name={name}
                value={choice.value}
                checked={on}
                onChange={() => field.onChange(choice.value)}
                onBlur={field.onBlur}
                slotProps={{
                  input: { 'aria-labelledby': `${id}-${index}`, 'aria-describedby': `${id}-${index}-detail`, ...(index === 0 && { ref: field.ref }) },
                }}
              />
              <Box sx={picture && { flex: 1, minWidth: 0 }}>
                <Typography id={`${id}-${index}`} variant="body2" sx={{ fontWeight: 500 }}>
                  {choice.label}
                </Typography>
                <Typography id={`${id}-${index}-detail`} variant="caption" component="div" sx={{ color: 'text.secondary', mt: 0.25 }}>
                  {choice.detail}
                </Typography>
              </Box>
            </Box>
          );
        })}
      </Box>
    </FieldGroup>
  );
}
