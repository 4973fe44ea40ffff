import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { Controller } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import type { PublicLinkInput } from './publicLinkInput';

/** A check box of the form, with its description below. */
export const CheckboxField = ({
  control,
  name,
  label,
  help,
}: {
  readonly control: Control<PublicLinkInput, unknown, PublicLinkInput>;
  readonly name: 'drop' | 'drafts' | 'download' | 'once' | 'publish';
  readonly label: string;
  readonly help?: string;
}): ReactElement => (
  <Controller
    control={control}
    name={name}
    render={({ field }) => (
      <Box>
        <FormControlLabel
          control={<Checkbox checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
          label={<Typography variant="body2">{label}</Typography>}
        />
        {help !== undefined && (
          <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
            {help}
          </Typography>
        )}
      </Box>
    )}
  />
);
