import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkBox } from './LinkBox';

/** Shows a new link until the person confirms that it is saved; neither Escape nor a click outside closes it. */
export function LinkDialog({
  title,
  url,
  expiresAt,
  children,
  onClose,
}: {
  readonly title: string;
  readonly url: string;
  readonly expiresAt: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('people');
  const titleId = useId();
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <LinkBox url={url} expiresAt={expiresAt}>
          {children}
        </LinkBox>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button variant="contained" autoFocus onClick={onClose}>
          {t('link.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
