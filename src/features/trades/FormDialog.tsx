import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { FieldValues, SubmitHandler } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '@/ui/ErrorPanel';
import type { ShownFailure } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import type { ContractForm } from '@/ui/form/useContractForm';

/** A dialog with one form: when closed it stores its input as a draft, so that a click beside it loses nothing. */
export function FormDialog<I extends FieldValues, O extends FieldValues>({
  form,
  title,
  lead,
  submit,
  busy,
  failure,
  danger = false,
  wide = false,
  onSubmit,
  onClose,
  children,
}: {
  readonly form: ContractForm<I, O>;
  readonly title: string;
  readonly lead?: ReactNode;
  /** Text of the submit button. */
  readonly submit: string;
  readonly busy: boolean;
  readonly failure: ShownFailure | null;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly onSubmit: SubmitHandler<O>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { t } = useTranslation('trades');
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth={wide ? 'sm' : 'xs'}>
      <Form form={form} onSubmit={onSubmit}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {lead !== undefined && (
            <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
              {lead}
            </Typography>
          )}
          {failure && <ErrorPanel title={t('notDone')} failure={failure} />}
          {children}
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="contained" color={danger ? 'error' : 'primary'} aria-busy={busy} disabled={busy}>
            {busy ? t('working') : submit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
