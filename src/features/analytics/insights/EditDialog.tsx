import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { type ReactElement, type ReactNode, useId } from 'react';
import type { FieldValues, SubmitHandler } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import type { ContractForm } from '@/ui/form/useContractForm';

/** A dialog with one definition: when closed it stores its input as a draft, so that a click beside it loses nothing. */
export function EditDialog<I extends FieldValues, O extends FieldValues>({
  form,
  title,
  lead,
  busy,
  failure,
  onSubmit,
  onClose,
  children,
}: {
  readonly form: ContractForm<I, O>;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly busy: boolean;
  readonly failure: ApiFailure | null;
  readonly onSubmit: SubmitHandler<O>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { t } = useTranslation('insights');
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <Form form={form} onSubmit={onSubmit}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
          {lead !== undefined && (
            <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
              {lead}
            </Typography>
          )}
          {failure && <ErrorPanel title={t(failure.code === 'stale_revision' ? 'edit.stale' : 'edit.failed')} failure={failure} />}
          {children}
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
          <Button onClick={onClose}>{t('edit.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
            {t(busy ? 'edit.saving' : 'edit.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
