import { Box, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Connects a control to its label, help and error. */
export type ControlProps = { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };

export type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly optional?: boolean;
};

/** Below a control: its error, and its help, which often states the rule that the error refers to. */
export function FieldNote({ id, help, error }: { readonly id: string; readonly help?: ReactNode; readonly error?: string | undefined }): ReactElement {
  return (
    <Typography
      id={id}
      variant="caption"
      component="div"
      sx={{ color: 'text.secondary', mt: help === undefined && error === undefined ? 0 : 0.5, overflowWrap: 'anywhere' }}
    >
      {error !== undefined && (
        <Box role="alert" sx={{ color: 'error.main' }}>
          {error}
        </Box>
      )}
      {help}
    </Typography>
  );
}

/** Label above, control, note below: the layout of every field. */
export function Field({
  label,
  help,
  optional = false,
  error,
  children,
}: FieldProps & { readonly error?: string | undefined; readonly children: (control: ControlProps) => ReactNode }): ReactElement {
  const { t } = useTranslation('form');
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <Box>
      <Typography component="label" htmlFor={id} variant="body2" sx={{ display: 'block', mb: 0.5, fontWeight: 500 }}>
        {label}
        {optional && (
          <Typography component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary' }}>
            {t('optional')}
          </Typography>
        )}
      </Typography>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== undefined })}
      <FieldNote id={noteId} help={help} error={error} />
    </Box>
  );
}

/** A group of controls with one question above them, as a `fieldset`. */
export function FieldGroup({ label, help, error, children }: FieldProps & { readonly error?: string | undefined; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <Box component="fieldset" aria-describedby={id} sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ p: 0, mb: 0.5, fontWeight: 500 }}>
        {label}
      </Typography>
      {children}
      <FieldNote id={id} help={help} error={error} />
    </Box>
  );
}
