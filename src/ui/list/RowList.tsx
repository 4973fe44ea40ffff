import { Box } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** Rows under each other with a line above the first; each row (`li`) draws the line below itself. `label`: accessible name. */
export const RowList = ({ label, maxWidth, children }: { label?: string; maxWidth?: number; children: ReactNode }): ReactElement => (
  <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider', maxWidth }}>
    {children}
  </Box>
);
