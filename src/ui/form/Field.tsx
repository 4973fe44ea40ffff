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
    <div id={id} className="field-note">
      {error !== undefined && <div role="alert">{error}</div>}
      {help}
    </div>
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
    <div>
      <label htmlFor={id} className="field-label">
        {label}
        {optional && <span>{t('optional')}</span>}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== undefined })}
      <FieldNote id={noteId} help={help} error={error} />
    </div>
  );
}

/** A group of controls with one question above them, as a `fieldset`. */
export function FieldGroup({ label, help, error, children }: FieldProps & { readonly error?: string | undefined; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <fieldset className="field-group" aria-describedby={id}>
      <legend className="field-label">{label}</legend>
      {children}
      <FieldNote id={id} help={help} error={error} />
    </fieldset>
  );
}
