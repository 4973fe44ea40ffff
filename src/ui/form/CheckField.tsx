import { Box, Checkbox, FormControlLabel, FormHelperText } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';

type Props<I extends FieldValues, O> = {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
  readonly label: string;
  readonly help?: string;
  /** Unchecked, whatever the value is. */
  readonly disabled?: boolean;
};

/** A checkbox, with an explanation below it if need be. */
export function CheckField<I extends FieldValues, O>({ control, name, label, help, disabled = false }: Props<I, O>): ReactElement {
  const helpId = useId();
  const { field } = useController({ control, name });
  return (
    <Box>
      <FormControlLabel
        disabled={disabled}
        control={
          <Checkbox
            checked={field.value && !disabled}
            onChange={(_event, on) => field.onChange(on)}
            onBlur={field.onBlur}
            slotProps={{ input: { 'aria-describedby': help === undefined ? undefined : helpId, ref: field.ref } }}
          />
        }
        label={label}
      />
      {help !== undefined && (
        <FormHelperText id={helpId} sx={{ mt: 0, overflowWrap: 'anywhere' }}>
          {help}
        </FormHelperText>
      )}
    </Box>
  );
}
