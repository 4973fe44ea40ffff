import { Box } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** What is wider than its place scrolls in itself, also on the keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement => (
  <Box className="admin-scroll" tabIndex={0} role="region" aria-label={label}>
    {children}
  </Box>
);

/** Code or an answer, as it is. */
export const CodeBox = ({ label, children }: { readonly label: string; readonly children: string }): ReactElement => (
  <Box component="pre" className="admin-code" tabIndex={0} aria-label={label} role="group">
    {children}
  </Box>
);
