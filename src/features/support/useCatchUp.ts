import { useCallback, useEffect, useRef } from 'react';
import { isFailure, isPassing } from '@/lib/failure';

/** Milliseconds after which a reading that failed is repeated. */
const retryMs = 5000;

/**
 * Reads what is new, one reading at a time: a call during one leads to another after it, so that what came meanwhile is not missed. A reading that failed in
 * passing is repeated later. `read` resolves to the failure, if any.
 */
export function useCatchUp(read: () => Promise<unknown>): () => void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  const state = useRef<{ busy: boolean; again: boolean; ended: boolean; retry: ReturnType<typeof setTimeout> | undefined }>({
    busy: false,
    again: false,
    ended: false,
    retry: undefined,
  });
  const catchUp = useCallback(() => {
    const now = state.current;
    now.again = true;
    if (now.busy) return;
    const run = async (): Promise<void> => {
      now.busy = true;
      clearTimeout(now.retry);
      let error: unknown;
      try {
        while (now.again && error === undefined) {
          now.again = false;
          error = await latest.current();
        }
      } finally {
        now.busy = false;
      }
      if (isFailure(error) && (isPassing(error) || error.kind === 'timeout') && !now.ended)
        now.retry = setTimeout(() => {
          now.again = true;
          void run();
        }, retryMs);
    };
    void run();
  }, []);
  useEffect(() => {
    const now = state.current;
    now.ended = false;
    return () => {
      now.ended = true;
      clearTimeout(now.retry);
    };
  }, []);
  return catchUp;
}
