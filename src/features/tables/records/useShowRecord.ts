import { useEffect, useEffectEvent, useRef } from 'react';
import type { RefObject } from 'react';
import { useAppDispatch } from '@/store/hooks';
import type { GridHandle } from '../grid/types';
import { tablesApi } from '../tablesApi';
import type { RowPages } from './rowPages';
import type { Question } from './useRecordSource';

/**
 * Scrolls to the row of the open record and selects it. If the record was opened by its URL and is far down, its position is requested from the server. Once
 * per record: scrolling away afterwards is respected. `ready`: there are rows to show.
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
  const displayedId = useRef('');
  const show = useEffectEvent((signal: AbortSignal): void => {
    const known = pages.find(record);
    if (known) return handle.current?.showRow(known.index);
    const call = dispatch(tablesApi.endpoints.recordPosition.initiate({ siteId, table, id: record, ...question }, { subscribe: false, forceRefetch: true }));
    signal.addEventListener('abort', () => call.abort(), { once: true });
    void call.then(({ data }) => {
      if (signal.aborted || data?.before == null) return;
      const { before } = data;
      pages.reach(before);
      // After the rows have rendered.
      requestAnimationFrame(() => {
        if (!signal.aborted) handle.current?.showRow(before);
      });
    });
  });
  useEffect(() => {
    if (record === '') displayedId.current = '';
    if (record === '' || !ready || displayedId.current === record) return;
    displayedId.current = record;
    const control = new AbortController();
    show(control.signal);
    return () => {
      control.abort();
      displayedId.current = '';
    };
  }, [record, ready]);
}
