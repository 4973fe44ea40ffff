import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { FieldValues, SubmitHandler } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { phone, useMedia } from '@/lib/useMedia';
import { useConfirm } from '../confirmContext';
import { ErrorPanel } from '../ErrorPanel';
import type { ShownFailure } from '../ErrorPanel';
import { Form } from './Form';
import type { ContractForm } from './useContractForm';

type FormDialogProps<I extends FieldValues, O extends FieldValues> = {
  readonly form: ContractForm<I, O>;
  readonly title: string;
  /** Introduction above the fields. */
  readonly lead?: ReactNode;
  /** Text of the submit button; null if there is nothing to submit yet. */
  readonly submitLabel: string | null;
  readonly busyLabel?: string;
  readonly canSubmit?: boolean;
  readonly cancelLabel?: string;
  readonly busy?: boolean;
  /** A failure that no field shows: usually that of `useSubmit`. */
  readonly failure?: ShownFailure | null;
  readonly failureTitle?: string;
  /** Set if loading the form failed, not submitting it. */
  readonly onRetry?: (() => void) | undefined;
  readonly danger?: boolean;
  readonly width?: 'xs' | 'sm' | 'md';
  /** False if closing loses nothing: a draft is stored, or only a password was typed. */
  readonly confirmsDiscard?: boolean;
  readonly onSubmit: SubmitHandler<O>;
  /** Escape, a click beside the dialog, and the cancel button unless `onCancel` is set. */
  readonly onClose: () => void;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
};

/**
 * A dialog with one form: fields scroll between title and buttons, on a phone it fills the screen, and the focus returns to where it was. Escape and
 * a click beside it ask for confirmation before unsaved changes are discarded; the cancel button does not.
 */
export function FormDialog<I extends FieldValues, O extends FieldValues>(props: FormDialogProps<I, O>): ReactElement {
  const { form, title, lead, failure, failureTitle, onRetry, width = 'xs', confirmsDiscard = true, onSubmit, onClose, children } = props;
  const { t } = useTranslation('form');
  const titleId = useId();
  const confirm = useConfirm();
  const fullScreen = useMedia(phone);
  const { isDirty, isSubmitting } = form.formState;
  const dismiss = async () => {
    if (isSubmitting) return;
    if (
      !isDirty ||
      !confirmsDiscard ||
      (await confirm({ title: t('dialog.leaveTitle'), body: t('dialog.leaveText'), confirm: t('dialog.leave'), danger: true }))
    )
      onClose();
  };
  return (
    <Dialog
      open
      onClose={() => void dismiss()}
      aria-labelledby={titleId}
      fullWidth
      fullScreen={fullScreen}
      maxWidth={width}
      slotProps={{ paper: { sx: { '& > form': { display: 'flex', flexDirection: 'column', minHeight: 0, flex: '0 1 auto' } } } }}
    >
      <Form form={form} onSubmit={onSubmit}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
          {lead !== undefined && (
            <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
              {lead}
            </Typography>
          )}
          {failure && <ErrorPanel title={failureTitle ?? t('dialog.failed')} failure={failure} {...(onRetry && { onRetry })} />}
          {children}
        </DialogContent>
        <FormDialogButtons {...props} />
      </Form>
    </Dialog>
  );
}

type ButtonsProps = Pick<
  FormDialogProps<FieldValues, FieldValues>,
  'submitLabel' | 'busyLabel' | 'canSubmit' | 'cancelLabel' | 'busy' | 'danger' | 'onClose' | 'onCancel'
>;

function FormDialogButtons({
  submitLabel,
  busyLabel,
  canSubmit = true,
  cancelLabel,
  busy = false,
  danger = false,
  onClose,
  onCancel = onClose,
}: ButtonsProps): ReactElement {
  const { t } = useTranslation('form');
  return (
    <DialogActions sx={{ padding: '8px 24px 16px' }}>
      <Button onClick={onCancel}>{cancelLabel ?? t('dialog.cancel')}</Button>
      {submitLabel !== null && (
        <Button type="submit" variant="contained" color={danger ? 'error' : 'primary'} disabled={!canSubmit} aria-busy={busy}>
          {busy ? (busyLabel ?? submitLabel) : submitLabel}
        </Button>
      )}
    </DialogActions>
  );
}
