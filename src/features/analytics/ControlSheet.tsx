import { Button, Drawer } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';

const Body = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'stretch',
  gap: 8,
  padding: '16px 16px calc(16px + env(safe-area-inset-bottom))',
  maxHeight: '80dvh',
  overflow: 'auto',
  '& > *': { minHeight: 44 },
});

/** The conditions of a report on a phone, as a bottom sheet. Every choice applies immediately; closing the sheet has no other effect. */
const ControlSheet = ({
  label,
  closeLabel,
  onClose,
  children,
}: {
  label: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}): ReactElement => (
  <Drawer open anchor="bottom" onClose={onClose} slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-label': label } }}>
    <Body>
      {children}
      <Button variant="contained" onClick={onClose}>
        {closeLabel}
      </Button>
    </Body>
  </Drawer>
);

export default ControlSheet;
