import { Suspense, lazy, useCallback, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmContext } from './confirmContext';
import type { Question } from './confirmContext';

const ConfirmDialog = lazy(() => import(/* webpackChunkName: "dialog" */ './ConfirmDialog'));

/** Holds the one open question; the dialog's code comes with the first one. */
export const ConfirmHost = ({ children }: { children: ReactNode }) => {
  const [question, setQuestion] = useState<Question | null>(null);
  const answer = useRef<(value: boolean) => void>(undefined);
  const ask = useCallback((next: Question) => {
    answer.current?.(false);
    setQuestion(next);
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, []);
  const close = (value: boolean) => {
    answer.current?.(value);
    answer.current = undefined;
    setQuestion(null);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      {question && (
        <Suspense fallback={null}>
          <ConfirmDialog question={question} onAnswer={close} />
        </Suspense>
      )}
    </ConfirmContext>
  );
};
