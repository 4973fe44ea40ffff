import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs `work` immediately, or with `fresh` only `ms` after the component appeared, because what it would fetch has just been fetched; then at most every `ms`;
 * calls in between lead to one run at the end. In a hidden tab the run is postponed until the tab
 * is visible again.
 */
export function useThrottled(work: () => void, ms: number, { fresh = false } = {}): () => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  const state = useRef<{ timer: ReturnType<typeof setTimeout> | null; last: number; pending: boolean }>({ timer: null, last: 0, pending: false });
  useEffect(() => {
    if (fresh) state.current.last = Date.now();
  }, [fresh]);
  const ask = useCallback(() => {
    const now = state.current;
    if (document.visibilityState === 'hidden') {
      now.pending = true;
      return;
    }
    if (now.timer !== null) return;
    const run = (): void => {
      now.timer = null;
      now.last = Date.now();
      now.pending = false;
      latest.current();
    };
    const wait = now.last + ms - Date.now();
    if (wait <= 0) run();
    else now.timer = setTimeout(run, wait);
  }, [ms]);
  useEffect(() => {
    const now = state.current;
    const onVisible = (): void => {
      if (document.visibilityState === 'visible' && now.pending) ask();
    };
    document.addEventListener('visibilitychange', onVisible);
    // A run that waits goes on waiting when the interval changes.
    onVisible();
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      if (now.timer === null) return;
      clearTimeout(now.timer);
      now.timer = null;
      now.pending = true;
    };
  }, [ask]);
  return ask;
}
