import { InputAdornment, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { SearchIcon } from './SearchIcon';

export const SearchBox = ({
  label,
  placeholder,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement => (
  <OutlinedInput
    size="small"
    type="search"
    value={value}
    placeholder={placeholder}
    onChange={(event) => onChange(event.target.value)}
    startAdornment={
      <InputAdornment position="start">
        <SearchIcon />
      </InputAdornment>
    }
    slotProps={{ input: { 'aria-label': label, maxLength: 100 } }}
    sx={{ width: { xs: '100%', sm: 260 } }}
  />
);
