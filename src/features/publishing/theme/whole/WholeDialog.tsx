import { Dialog, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { phone, useMedia } from '@/lib/useMedia';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';

/** A dialog about the whole theme; it fills a phone. */
export function WholeDialog({
  title,
  width,
  onClose,
  children,
}: {
  readonly title: string;
  readonly width: 'sm' | 'md' | 'lg';
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const titleId = useId();
  const fullScreen = useMedia(phone);
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth={width} fullScreen={fullScreen}>
      <DialogTitle id={titleId} className="theme-dialog-title">
        {title}
        <IconButton label={t('theme.close')} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </DialogTitle>
      <DialogContent>{children}</DialogContent>
    </Dialog>
  );
}
