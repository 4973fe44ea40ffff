import { NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';

type Choice = { readonly value: string; readonly label: string };

/** A filter above a list: its first option names the filter. A value that is not among the options stays selected. */
export function FilterSelect({
  label,
  value,
  choices,
  autoFocus = false,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly autoFocus?: boolean;
  readonly onChoose: (value: string) => void;
}): ReactElement {
  const known = choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      value={value}
      autoFocus={autoFocus}
      onChange={(event) => onChoose(event.target.value)}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': label }}
      sx={{ maxWidth: { xs: '100%', sm: 200 }, flex: { xs: '1 1 140px', sm: 'none' } }}
    >
      {!known && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </NativeSelect>
  );
}
