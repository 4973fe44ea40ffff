import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import type { Tone } from './orderStatus';

const colours: Readonly<Record<Tone, string>> = { quiet: 'var(--n-5)', wait: 'var(--warning)', good: 'var(--good)', info: 'var(--info)' };

/** A state as text, with a dot in the colour of its meaning. */
export const StateMark = ({ tone, children }: { readonly tone: Tone; readonly children: string }): ReactElement => (
  <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, whiteSpace: 'nowrap' }}>
    <Box component="span" aria-hidden sx={{ width: 7, height: 7, borderRadius: '50%', flex: 'none' }} style={{ background: colours[tone] }} />
    {children}
  </Box>
);
