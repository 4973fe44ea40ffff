import { Box, Checkbox, FormControlLabel, FormHelperText } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';

type Props<I extends FieldValues, O> = {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
  readonly label: string;
  readonly help: string;
};

/** A checkbox with an explanation below it. */
export function CheckField<I extends FieldValues, O>({ control, name, label, help }: Props<I, O>): ReactElement {
  const helpId = useId();
  const { field } = useController({ control, name });
  return (
    <Box>
      <FormControlLabel
        control={
          <Checkbox
            checked={field.value}
            onChange={(_event, on) => field.onChange(on)}
            onBlur={field.onBlur}
            slotProps={{ input: { 'aria-describedby': helpId, ref: field.ref } }}
          />
        }
        label={label}
      />
      <FormHelperText id={helpId} sx={{ mt: 0, overflowWrap: 'anywhere' }}>
        {help}
      </FormHelperText>
    </Box>
  );
}
