import Visibility from '@mui/icons-material/VisibilityOutlined';
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import { IconButton, InputAdornment } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextField } from './TextField';
import type { BoundProps } from './TextField';

/** A password that can be revealed. `autoComplete` tells password managers whether it is the current or a new one. */
export function PasswordField<I extends FieldValues, O>({
  autoComplete,
  autoFocus = false,
  ...bound
}: BoundProps<I, O> & { readonly autoComplete: 'current-password' | 'new-password'; readonly autoFocus?: boolean }): ReactElement {
  const { t } = useTranslation('form');
  const [revealed, setRevealed] = useState(false);
  const label = t(revealed ? 'password.hide' : 'password.show');
  return (
    <TextField
      {...bound}
      type={revealed ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      maxLength={128}
      verbatim
      endAdornment={
        <InputAdornment position="end">
          <IconButton edge="end" aria-label={label} title={label} aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
            {revealed ? <Visibility fontSize="small" /> : <VisibilityOff fontSize="small" />}
          </IconButton>
        </InputAdornment>
      }
    />
  );
}
