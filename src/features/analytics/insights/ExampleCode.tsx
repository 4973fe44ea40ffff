import { Box } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '@/ui/CopyButton';

/** A line of code to copy, and what it does. */
export const ExampleCode = ({ code, children }: { readonly code: string; readonly children: ReactNode }): ReactElement => (
  <Box sx={{ maxWidth: 560, mx: 'auto', mt: 1.5 }}>
    <p>{children}</p>
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 1, textAlign: 'start', bgcolor: 'action.hover', borderRadius: 1, px: 1.5, py: 0.5 }}>
      <Box component="code" sx={{ flex: 1, overflowX: 'auto', whiteSpace: 'nowrap', fontSize: 'var(--text-table)' }}>
        {code}
      </Box>
      <CopyButton text={code} />
    </Box>
  </Box>
);
