import { Box } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** A scrollable container for wide content, also scrollable by keyboard. */
export const ScrollRegion = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement => (
  <Box className="admin-scroll" tabIndex={0} role="region" aria-label={label}>
    {children}
  </Box>
);

/** Code or a response, unformatted. */
export const CodeBox = ({ label, children }: { readonly label: string; readonly children: string }): ReactElement => (
  <Box component="pre" className="admin-code" tabIndex={0} aria-label={label} role="group">
    {children}
  </Box>
);
