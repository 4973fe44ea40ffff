import { type ReactElement, type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { type QueryResult, ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';

/** Delay before an unavailable store is queried again, in milliseconds. */
const againMs = 10_000;

/** Shows a specific message for failures that the reader can act on. */
export const BlockFailure = ({ name, error, onRetry, retrying }: { name: string; error: unknown; onRetry: () => void; retrying: boolean }): ReactElement => {
  const { t } = useTranslation('analytics');
  const failure = isFailure(error) ? error : null;
  const known =
    failure?.code === 'analytics_unavailable'
      ? 'unavailable'
      : failure?.code === 'range_not_allowed'
        ? 'range'
        : failure?.fields?.['segment']
          ? 'segment'
          : null;
  const away = known === 'unavailable';
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!away || retrying) return undefined;
    const timer = setTimeout(() => retry(), againMs);
    return () => clearTimeout(timer);
  }, [away, retrying]);
  if (known === null) return <ErrorPanel title={t('failed.block', { name })} failure={failure} onRetry={onRetry} retrying={retrying} />;
  const requestId = failure?.requestId;
  return (
    <ErrorPanel
      title={t(`failed.${known}`)}
      {...(requestId === undefined ? {} : { failure: { kind: 'api', status: failure?.status ?? 0, message: t(`failed.${known}Text`), requestId } })}
      {...(known === 'unavailable' ? { onRetry, retrying } : {})}
    >
      {requestId === undefined && <p>{t(`failed.${known}Text`)}</p>}
    </ErrorPanel>
  );
};

/** One block of a report, with its own loading and error states and the messages of reports. */
export const BlockState = <T,>({
  name,
  result,
  skeleton,
  children,
}: {
  name: string;
  result: QueryResult<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}): ReactElement => (
  <ResultState
    result={result}
    skeleton={skeleton}
    failed={(error, onRetry, retrying) => <BlockFailure name={name} error={error} onRetry={onRetry} retrying={retrying} />}
  >
    {children}
  </ResultState>
);
