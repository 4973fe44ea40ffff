import { useCallback, useMemo } from 'react';
import { dropDraft, keepDraft, readDraft } from '@/lib/drafts';
import { useAppSelector } from '@/store/hooks';
import { selectSession } from './sessionSlice';

/**
 * Input stored under `key` before the session ended or the page was left by accident; undefined if there is none. Call `keep` at every change, `drop`
 * when saved or discarded. Never pass it a password.
 */
export function useDraft<T>(key: string): { readonly restored: T | undefined; readonly keep: (value: T) => void; readonly drop: () => void } {
  const owner = useAppSelector(selectSession)?.userId ?? '';
  const restored = useMemo(() => readDraft(owner, key) as T | undefined, [owner, key]);
  const keep = useCallback((value: T) => keepDraft(owner, key, value), [owner, key]);
  const drop = useCallback(() => dropDraft(owner, key), [owner, key]);
  return { restored, keep, drop };
}
