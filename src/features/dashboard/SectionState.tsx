import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { type QueryResult, ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';

/** One section of the dashboard, with its own loading and error states. */
export const SectionState = <T,>({
  name,
  result,
  skeleton,
  children,
}: {
  name: string;
  result: QueryResult<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <ResultState
      result={result}
      skeleton={skeleton}
      failed={(error, onRetry, retrying) => (
        <ErrorPanel title={t('failed', { name })} failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
      )}
    >
      {children}
    </ResultState>
  );
};
