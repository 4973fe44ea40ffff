import Close from '@mui/icons-material/CloseOutlined';
import { Box, Drawer, IconButton, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The right drawer with a heading and a close button, which stay in place; the whole screen on a phone. */
export const SideSheet = ({
  title,
  open,
  width,
  className = '',
  onClose,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  /** In pixels or as in CSS. */
  readonly width: number | string;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('ui');
  const titleId = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      // The sheet has the focus until a control is focused: it needs no outline.
      sx={{ '& [tabindex="-1"]:focus-visible': { outline: 'none' } }}
      onClose={onClose}
      slotProps={{ paper: { className, role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: { xs: '100%', sm: width } } } }}
    >
      <Box
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 3,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 1.5,
          px: 3,
          py: 1.5,
          bgcolor: 'background.paper',
        }}
      >
        <Typography id={titleId} component="h2" variant="h2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
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
