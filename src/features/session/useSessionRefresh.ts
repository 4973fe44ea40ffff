import { useCallback } from 'react';
import { useAppDispatch } from '@/store/hooks';
import { sessionApi } from './sessionApi';

/** Refetches the session; the console stays on the screen meanwhile. */
export function useSessionRefresh(): () => void {
  const dispatch = useAppDispatch();
  return useCallback(() => {
    void dispatch(sessionApi.endpoints.session.initiate(undefined, { forceRefetch: true, subscribe: false }));
  }, [dispatch]);
}
