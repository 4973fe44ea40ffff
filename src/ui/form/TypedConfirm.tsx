import { Button, Dialog, DialogActions, DialogContent, DialogTitle, OutlinedInput, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './Field';

type TypedConfirmProps = {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, and what will not. */
  readonly children: ReactNode;
  /** The text that has to be typed exactly. */
  readonly phrase: string;
  readonly confirmLabel: string;
  /** Performs the action; resolves to an error message if it failed, which keeps the dialog open. */
  readonly onConfirm: () => Promise<string | null>;
  readonly onClose: () => void;
};

/** Requires a name to be typed before an action that is hard to undo. */
export function TypedConfirm({ open, onClose, ...rest }: TypedConfirmProps): ReactElement {
  const titleId = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <TypedConfirmForm {...rest} titleId={titleId} onClose={onClose} />
    </Dialog>
  );
}

/** Mounted with the dialog, so that it starts empty each time. */
function TypedConfirmForm({
  titleId,
  title,
  children,
  phrase,
  confirmLabel,
  onConfirm,
  onClose,
}: Omit<TypedConfirmProps, 'open'> & { readonly titleId: string }): ReactElement {
  const { t } = useTranslation('form');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    if (typed.trim().normalize('NFC') !== phrase.normalize('NFC')) {
      setError(t('typed.mismatch'));
      return;
    }
    setBusy(true);
    const failed = await onConfirm();
    setBusy(false);
    if (failed === null) onClose();
    else setError(failed);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
          {children}
        </Typography>
        <Field label={t('typed.label', { phrase })} error={error}>
          {({ id, ...aria }) => (
            <OutlinedInput
              fullWidth
              autoFocus
              id={id}
              value={typed}
              error={aria['aria-invalid']}
              autoComplete="off"
              onChange={(event) => {
                setTyped(event.target.value);
                setError(undefined);
              }}
              slotProps={{ input: { ...aria, spellCheck: false } }}
            />
          )}
        </Field>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('typed.cancel')}</Button>
        <Button type="submit" color="error" variant="contained" disabled={busy || typed === ''}>
          {busy ? t('typed.busy') : confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
