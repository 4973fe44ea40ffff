import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';

/** Frame of this screen's dialogs: title, content, a close button and at most one action. */
export const SchemaDialog = ({
  title,
  error,
  action,
  wide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly error?: unknown;
  readonly action?: ReactNode;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth={wide ? 'md' : 'sm'}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, fontSize: 'var(--text-body)', '& p, & ul': { m: 0 } }}>
        {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
        {children}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t(action === undefined ? 'close' : 'cancel')}</Button>
        {action}
      </DialogActions>
    </Dialog>
  );
};
