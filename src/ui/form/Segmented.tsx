import { ToggleButton, ToggleButtonGroup } from '@mui/material';
import type { ReactElement } from 'react';
import { FieldGroup } from './Field';

/** A single choice from two or three visible options. For choices that apply immediately, outside forms. */
export function Segmented<V extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: V;
  readonly choices: readonly { readonly value: V; readonly label: string; readonly lang?: string }[];
  readonly onChoose: (value: V) => void;
}): ReactElement {
  return (
    <FieldGroup label={label}>
      <ToggleButtonGroup exclusive value={value} aria-label={label} onChange={(_event, next: V | null) => next !== null && onChoose(next)}>
        {choices.map((choice) => (
          <ToggleButton
            key={choice.value}
            value={choice.value}
            {...(choice.lang !== undefined && { lang: choice.lang })}
            sx={{
              px: 1.5,
              py: 0.25,
              minHeight: 32,
              textTransform: 'none',
              color: 'text.secondary',
              '&.Mui-selected': { color: 'text.primary', fontWeight: 600 },
              '@media (pointer: coarse)': { minHeight: 40 },
            }}
          >
            {choice.label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </FieldGroup>
  );
}
