import { useEffect, useRef } from 'react';
import type { RunState } from '@contract/crawler/terms';
import { useAppDispatch } from '@/store/hooks';
import { crawlerApi } from '../crawlerApi';
import { inventoryApi } from './inventoryApi';

/** Fetches what runs found, and the lists of runs, again when one of some runs has another state than before: issues, for example, are there when it has ended. */
export function useFoundAgain(runs: readonly { readonly id: string; readonly state: RunState }[]): void {
  const dispatch = useAppDispatch();
  const before = useRef<ReadonlyMap<string, RunState>>(new Map());
  useEffect(() => {
    const hasChanged = runs.some(({ id, state }) => (before.current.get(id) ?? state) !== state);
    before.current = new Map(runs.map(({ id, state }) => [id, state]));
    if (!hasChanged) return;
    dispatch(inventoryApi.util.invalidateTags(['CrawlFound', 'CrawlLinks']));
    dispatch(crawlerApi.util.invalidateTags(['CrawlRun']));
  }, [dispatch, runs]);
}
