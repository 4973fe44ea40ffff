import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure, FieldFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { encodeFieldError } from '@/ui/form/fieldError';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';

/** Why a call was refused, with all refused paths. `nameOf`: the label of a path; null where it concerns the whole. */
export const RefusedCall = ({
  title,
  failure,
  nameOf = () => null,
  onRetry,
  retrying = false,
}: {
  readonly title: string;
  readonly failure: ApiFailure;
  readonly nameOf?: (path: string) => string | null;
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const errorText = useFieldErrorMessage();
  const fieldErrors = Object.entries((failure.fields ?? {}) as Readonly<Record<string, FieldFailure & { readonly message?: string }>>);
  return (
    <ErrorPanel title={title} failure={failure} retrying={retrying} {...(onRetry ? { onRetry } : {})}>
      {fieldErrors.map(([path, fieldError]) => {
        const name = nameOf(path);
        const text = fieldError.message ?? errorText(encodeFieldError(fieldError)) ?? '';
        return <p key={path}>{name === null ? text : t('check.colon', { field: name, text })}</p>;
      })}
    </ErrorPanel>
  );
};
