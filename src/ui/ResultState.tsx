import { type ReactElement, type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { useDelayed } from '@/lib/useDelayed';
import { ErrorPanel } from './ErrorPanel';

/** Result of a query hook: `currentData` belongs to the current arguments, `data` may belong to the previous ones. */
export type QueryResult<T> = {
  readonly data?: T | undefined;
  readonly currentData?: T | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

/** Delay before a refresh that did not reach the server is retried, in milliseconds. */
const againMs = 10_000;
const isCutOff = (error: unknown): boolean => isFailure(error) && error.kind === 'network';
const errorPanel = (error: unknown, retry: () => void, retrying: boolean): ReactElement => (
  <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />
);

/**
 * A part of a page that depends on one query and handles its loading and error states independently: a skeleton after 200 ms, and the old data
 * dimmed, never blank, while new arguments load. A failed refresh keeps the data below the error message. A refresh that did not reach the server
 * shows nothing here, because the page already shows the connection state, and is retried.
 */
export const ResultState = <T,>({
  result,
  skeleton,
  failed = errorPanel,
  children,
}: {
  result: QueryResult<T>;
  skeleton: ReactNode;
  /** What replaces the data after a failure; by default the error panel with a retry. */
  failed?: (error: unknown, retry: () => void, retrying: boolean) => ReactNode;
  children: (data: T) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('ui');
  const { currentData, isFetching, error } = result;
  const data = currentData ?? (isFetching ? result.data : undefined);
  const late = useDelayed(data === undefined && isFetching);
  const quiet = data !== undefined && isCutOff(error);
  const retry = useEffectEvent(() => {
    result.refetch();
  });
  useEffect(() => {
    if (!quiet || isFetching) return undefined;
    const timer = setTimeout(() => retry(), againMs);
    return () => clearTimeout(timer);
  }, [quiet, isFetching]);
  const failure =
    error !== undefined &&
    !quiet &&
    failed(
      error,
      () => {
        result.refetch();
      },
      isFetching,
    );
  if (data === undefined && failure !== false) return <>{failure}</>;
  if (data === undefined)
    return (
      <div aria-busy="true" style={{ visibility: late ? 'visible' : 'hidden' }}>
        {late && (
          <span role="status" className="only-read">
            {t('loading')}
          </span>
        )}
        {skeleton}
      </div>
    );
  const dim = currentData === undefined;
  return (
    <div aria-busy={dim} style={{ opacity: dim ? 0.5 : 1, transition: 'opacity 80ms var(--ease)' }}>
      {dim && (
        <span role="status" className="only-read">
          {t('loading')}
        </span>
      )}
      {failure !== false && <div style={{ marginBottom: 12 }}>{failure}</div>}
      {children(data)}
    </div>
  );
};
