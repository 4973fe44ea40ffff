import { Box, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** One method of two-step verification: its name, state, description and button. */
export function FactorRow({
  title,
  level = 'h3',
  state,
  on = false,
  lead,
  action,
  children,
}: {
  readonly title: string;
  readonly level?: 'h2' | 'h3';
  readonly state?: ReactNode;
  /** Shown in the success colour. */
  readonly on?: boolean;
  readonly lead: string;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <Box role="group" aria-labelledby={id} sx={{ py: 2, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0, pt: 0 } }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={id} component={level} variant="body2" sx={{ fontWeight: 500 }}>
            {title}
          </Typography>
          {state !== undefined && (
            <Typography variant="caption" component="p" sx={{ color: on ? 'success.main' : 'text.secondary' }}>
              {on && '✓ '}
              {state}
            </Typography>
          )}
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {lead}
          </Typography>
        </Box>
        {action}
      </Box>
      {children}
    </Box>
  );
}
