import { MenuItem, Select } from '@mui/material';
import type { ReactElement } from 'react';

const look = {
  '& .MuiSelect-select.MuiInputBase-input': { minHeight: 0 },
  '& fieldset': { borderColor: 'transparent' },
  '&:hover fieldset': { borderColor: 'var(--n-4)' },
} as const;

/** A select that looks like plain text until hovered. A value that is not among the options shows nothing. */
export const QuietSelect = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { readonly id: T; readonly name: string }[];
  onChange: (value: T) => void;
}): ReactElement => (
  <Select
    value={options.some((one) => one.id === value) ? value : ''}
    displayEmpty
    size="small"
    inputProps={{ 'aria-label': label }}
    SelectDisplayProps={{ 'aria-label': label }}
    onChange={(event) => onChange(event.target.value as T)}
    sx={look}
  >
    {options.map((one) => (
      <MenuItem key={one.id} value={one.id}>
        {one.name}
      </MenuItem>
    ))}
  </Select>
);
