import { type ReactElement, type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDelayed } from '@/lib/useDelayed';

/** What a query hook tells; `currentData` belongs to the question on the screen, `data` may still answer the one before. */
export type Answer<T> = {
  readonly data?: T | undefined;
  readonly currentData?: T | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

/** A refresh that did not reach the server is tried again by itself after this time. */
const againMs = 10_000;
const isCutOff = (error: unknown): boolean => typeof error === 'object' && error !== null && 'kind' in error && error.kind === 'network';

/**
 * A part of a page that depends on one answer, alone in waiting and in failing: the shape of what comes after 200 ms, old
 * figures dimmed while another question is answered, never blank in between. A failed refresh leaves the figures below its words;
 * one that did not reach the server says nothing, for the page says it once (no network, reconnecting), and is tried again.
 */
export const AnswerState = <T,>({
  answer,
  skeleton,
  failed,
  children,
}: {
  answer: Answer<T>;
  skeleton: ReactNode;
  failed: (error: unknown, retry: () => void, retrying: boolean) => ReactNode;
  children: (data: T) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('ui');
  const { currentData, isFetching, error } = answer;
  const shown = currentData ?? (isFetching ? answer.data : undefined);
  const late = useDelayed(shown === undefined && isFetching);
  const quiet = shown !== undefined && isCutOff(error);
  const retry = useEffectEvent(() => {
    answer.refetch();
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
        answer.refetch();
      },
      isFetching,
    );
  if (shown === undefined && failure !== false) return <>{failure}</>;
  if (shown === undefined)
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
    <div aria-busy={dim} style={{ opacity: dim ? 0.5 : 1, transition: 'opacity 150ms var(--ease)' }}>
      {dim && (
        <span role="status" className="only-read">
          {t('loading')}
        </span>
      )}
      {failure !== false && <div style={{ marginBottom: 12 }}>{failure}</div>}
      {children(shown)}
    </div>
  );
};
