import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { withMui } from '@/theme/mui';
import { ConfirmContext } from './confirmContext';
import type { Question } from './confirmContext';

const ConfirmDialog = lazy(() => withMui(import(/* webpackChunkName: "dialog" */ './ConfirmDialog')));

/** Longest interval between the clicks of a double click, in milliseconds: the usual desktop default. */
const doubleClick = 500;

/** Hosts the open confirmation; the dialog's code loads with the first one. */
export const ConfirmHost = ({ children }: { children: ReactNode }) => {
  const [question, setQuestion] = useState<Question | null>(null);
  const [shielded, setShielded] = useState(false);
  useEffect(() => {
    if (!shielded) return;
    const timer = setTimeout(() => setShielded(false), doubleClick);
    return () => clearTimeout(timer);
  }, [shielded]);
  const result = useRef<(value: boolean) => void>(undefined);
  const ask = useCallback((next: Question) => {
    result.current?.(false);
    setQuestion(next);
    return new Promise<boolean>((resolve) => {
      result.current = resolve;
    });
  }, []);
  const close = (value: boolean) => {
    result.current?.(value);
    result.current = undefined;
    setQuestion(null);
    setShielded(true);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      {/* Swallows the second click of a double click, so that it does not hit what is behind the dialog. */}
      {shielded && <div data-shield style={{ position: 'fixed', inset: 0, zIndex: 2000 }} />}
      {question && (
        <Suspense fallback={null}>
          <ConfirmDialog question={question} onAnswer={close} />
        </Suspense>
      )}
    </ConfirmContext>
  );
};
