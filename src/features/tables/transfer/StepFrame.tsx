import { Box, DialogActions, DialogContent } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** One step of the wizard: its content, with actions at the foot. */
export const StepFrame = ({ children, actions }: { readonly children: ReactNode; readonly actions: ReactNode }): ReactElement => (
  <>
    <DialogContent className="transfer-body" sx={{ py: 2.5 }}>
      {children}
    </DialogContent>
    <DialogActions sx={{ px: 3, py: 1.5, gap: 1, flexWrap: 'wrap', borderTop: '1px solid var(--line)' }}>{actions}</DialogActions>
  </>
);

/** Pushes the following elements to the right. */
export const FlexibleSpace = (): ReactElement => <Box sx={{ flex: 1 }} />;
