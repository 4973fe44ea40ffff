import { Drawer } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** The list of tables on phones. */
export const TablesDrawer = ({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => (
  <Drawer open onClose={onClose} slotProps={{ paper: { 'aria-label': label, sx: { width: 280 } } }}>
    {children}
  </Drawer>
);
