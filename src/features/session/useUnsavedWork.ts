import { useCallback } from 'react';
import type { Blocker, Location } from 'react-router-dom';
import { useUnsavedGuard } from '@/lib/useUnsavedGuard';
import { useAppStore } from '@/store/hooks';
import { selectSessionStatus } from './sessionSlice';

/** `useUnsavedGuard` that steps aside once the session is over: the tab has to reach the sign page, and drafts preserve the input. */
export function useUnsavedWork(dirty: boolean, placeOf?: (location: Location) => string): Blocker {
  const store = useAppStore();
  const leaving = useCallback(() => selectSessionStatus(store.getState()) !== 'present', [store]);
  return useUnsavedGuard(dirty, leaving, placeOf);
}
