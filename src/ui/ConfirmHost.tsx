import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ConfirmContext } from './confirmContext';
import type { Question } from './confirmContext';

const ConfirmDialog = lazy(() => import(/* webpackChunkName: "dialog" */ './ConfirmDialog'));

/** Longest pause between the two clicks of a double click, in milliseconds: what desktops take unless told otherwise. */
const doubleClick = 500;

/** Holds the one open question; the dialog's code comes with the first one. */
export const ConfirmHost = ({ children }: { children: ReactNode }) => {
  const [question, setQuestion] = useState<Question | null>(null);
  const [shielded, setShielded] = useState(false);
  useEffect(() => {
    if (!shielded) return;
    const timer = setTimeout(() => setShielded(false), doubleClick);
    return () => clearTimeout(timer);
  }, [shielded]);
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
    setShielded(true);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      {/* The second click of a double click falls on nothing, not on what stood beneath the dialog. */}
      {shielded && <div data-shield style={{ position: 'fixed', inset: 0, zIndex: 2000 }} />}
      {question && (
        <Suspense fallback={null}>
          <ConfirmDialog question={question} onAnswer={close} />
        </Suspense>
      )}
    </ConfirmContext>
  );
};
