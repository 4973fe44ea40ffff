import Close from '@mui/icons-material/CloseOutlined';
import { Box, Drawer, IconButton, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The right drawer, with a heading and a close button. */
export const SideSheet = ({
  title,
  open,
  width,
  onClose,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly width: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      // The sheet has the focus until a control is focused: it needs no outline.
      sx={{ '& [tabindex="-1"]:focus-visible': { outline: 'none' } }}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: { xs: '100%', sm: width } } } }}
    >
      <Box className="hook-sheet" sx={{ bgcolor: 'background.paper' }}>
        <Typography id={titleId} component="h2" variant="h2">
          {title}
        </Typography>
        <IconButton edge="end" aria-label={t('close')} onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      </Box>
      {children}
    </Drawer>
  );
};
