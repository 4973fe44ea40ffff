import { useEffect, useEffectEvent, useRef } from 'react';
import type { RefObject } from 'react';
import { useAppDispatch } from '@/store/hooks';
import type { GridHandle } from '../grid/types';
import { tablesApi } from '../tablesApi';
import type { RowPages } from './rowPages';
import type { Question } from './useRecordSource';

/**
 * Brings the row of the open record into sight and chooses it, also when it was named by the address alone and stands far down: where it stands is asked
 * of the server then. Once for each record; whoever scrolls away with the record open is left where they are. `ready`: there are rows to be shown.
 */
export function useShowRecord({
  siteId,
  table,
  question,
  record,
  ready,
  pages,
  handle,
}: {
  readonly siteId: string;
  readonly table: string;
  readonly question: Question;
  readonly record: string;
  readonly ready: boolean;
  readonly pages: RowPages;
  readonly handle: RefObject<GridHandle | null>;
}): void {
  const dispatch = useAppDispatch();
  const shown = useRef('');
  const show = useEffectEvent((signal: AbortSignal): void => {
    const known = pages.find(record);
    if (known) return handle.current?.showRow(known.index);
    const call = dispatch(tablesApi.endpoints.recordPosition.initiate({ siteId, table, id: record, ...question }, { subscribe: false, forceRefetch: true }));
    signal.addEventListener('abort', () => call.abort(), { once: true });
    void call.then(({ data }) => {
      if (signal.aborted || data?.before == null) return;
      const { before } = data;
      pages.reach(before);
      // Once so many rows are drawn.
      requestAnimationFrame(() => {
        if (!signal.aborted) handle.current?.showRow(before);
      });
    });
  });
  useEffect(() => {
    if (record === '') shown.current = '';
    if (record === '' || !ready || shown.current === record) return;
    shown.current = record;
    const control = new AbortController();
    show(control.signal);
    return () => {
      control.abort();
      shown.current = '';
    };
  }, [record, ready]);
}
