import { Box, Switch, Typography } from '@mui/material';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import type { ReactElement } from 'react';
import { FieldNote } from './Field';
import type { BoundProps } from './TextField';
import { useFaultWords } from './useFaultWords';

/** On or off; the label beside it says what is on. */
export function SwitchField<I extends FieldValues, O>({ control, name, words, label, help }: Omit<BoundProps<I, O>, 'optional'>): ReactElement {
  const { field, fieldState } = useController({ control, name });
  const say = useFaultWords();
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: -1 }}>
        <Switch id={id} size="small" name={name} checked={field.value === true} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} slotProps={{ input: { ref: field.ref, 'aria-describedby': noteId } }} />
        <Typography component="label" htmlFor={id} variant="body2" sx={{ cursor: 'pointer' }}>
          {label}
        </Typography>
      </Box>
      <FieldNote id={noteId} help={help} error={say(fieldState.error?.message, words)} />
    </Box>
  );
}
