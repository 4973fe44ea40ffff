import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isFailure } from '@/lib/failure';
import { type Answer, AnswerState } from '@/ui/AnswerState';
import { ErrorPanel } from '@/ui/ErrorPanel';

/** One section of the dashboard, with its own loading and error states. */
export const SectionState = <T,>({
  name,
  answer,
  skeleton,
  children,
}: {
  name: string;
  answer: Answer<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <AnswerState
      answer={answer}
      skeleton={skeleton}
      failed={(error, onRetry, retrying) => (
        <ErrorPanel title={t('failed', { name })} failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
      )}
    >
      {children}
    </AnswerState>
  );
};
