import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '@/lib/failure';
import { CopyButton } from './CopyButton';
import { PlainButton } from './PlainButton';

/** The parts of a failed call that may be shown to the reader (`lib/failure.ts` has all of them). */
export type ShownFailure = { readonly kind: string; readonly status: number; readonly message: string; readonly requestId?: string; readonly code?: string };

/** Describes the failure in one sentence: the server's own message if there is one. */
export function useFailureMessage(): (failure: ShownFailure) => string {
  const { t } = useTranslation(['ui']);
  return (failure) => {
    const message = failureText(failure);
    return 'text' in message ? message.text : t(message.key, message.values);
  };
}

/** What happened, what was preserved, what to do, and the request id for finding the log entry. */
export const ErrorPanel = ({
  title,
  failure,
  children,
  onRetry,
  retrying = false,
}: {
  title?: ReactNode;
  failure?: ShownFailure | null | undefined;
  children?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
}) => {
  const { t } = useTranslation('ui');
  const messageOf = useFailureMessage();
  // The person cancelled the proof of identity: that is already known and is not an error of the input.
  if (failure?.code === 'reauth_required' && !onRetry) return null;
  return (
    <div className="error-panel" role="alert">
      <p>{title ?? t('failedTitle')}</p>
      {failure && <p>{messageOf(failure)}</p>}
      {children}
      {(onRetry || failure?.requestId !== undefined) && (
        <div className="foot">
          {onRetry && (
            <PlainButton type="button" onClick={onRetry} disabled={retrying}>
              {t('retry')}
            </PlainButton>
          )}
          {failure?.requestId !== undefined && (
            <span>
              {t('requestId')} <code>{failure.requestId}</code> <CopyButton text={failure.requestId} label={t('copyRequestId')} />
            </span>
          )}
        </div>
      )}
    </div>
  );
};
