import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton';
import { PlainButton } from './PlainButton';

/** The parts of a failed call that a reader may be shown (`store/failure.ts` has them all). */
export type ShownFailure = { readonly kind: string; readonly status: number; readonly message: string; readonly requestId?: string; readonly code?: string };

/** The failure in one sentence: the server's own words where it found some. */
export function useFailureWords(): (failure: ShownFailure) => string {
  const { t } = useTranslation('ui');
  return (failure) => {
    if (failure.kind === 'network' || failure.kind === 'aborted') return t('offline');
    if (failure.kind === 'timeout') return t('timeout');
    if (failure.kind === 'api' && failure.message !== '') return failure.message;
    return failure.message === '' ? t('unexpected', { status: failure.status }) : `${t('unexpected', { status: failure.status })} ${failure.message}`;
  };
}

/** What happened, what was kept, what to do, and the request id for whoever has the log. */
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
  const words = useFailureWords();
  // The person would rather not prove who they are: that has been said already, and is no failure of what they typed.
  if (failure?.code === 'reauth_required' && !onRetry) return null;
  return (
    <div className="error-panel" role="alert">
      <p>{title ?? t('failedTitle')}</p>
      {failure && <p>{words(failure)}</p>}
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
