import type { KeywordEngine, KeywordMeasure } from '@contract/imports/keywordTerms';
import type { KeywordQuery } from '@contract/imports/keywords';
import { useState } from 'react';
import { useKeywordsQuery } from '@/features/imports/importsApi';
import { useDebounced } from '@/lib/useDebounced';
import type { Sort } from '@/ui/tableColumns';
import { pageSizes, type ReportState } from './urlState';

/** The reported keywords of a range and how the reader lists them; every choice but the page goes back to the first page. */
export const useKeywordList = (siteId: string, { range, compare, compareTo }: ReportState) => {
  const [by, setBy] = useState<'query' | 'page'>('query');
  const [engine, setEngine] = useState<KeywordEngine | 'all'>('all');
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort>({ id: 'clicks', dir: 'desc' });
  const [paging, setPaging] = useState<{ page: number; size: number }>({ page: 1, size: pageSizes[0] });
  const q = useDebounced(typed.trim(), 300);
  const query: KeywordQuery = {
    ...range,
    compare,
    ...(compare === 'custom' && compareTo !== null ? { compareFrom: compareTo.from, compareTo: compareTo.to } : {}),
    by,
    ...(engine === 'all' ? {} : { engine }),
    ...(q === '' ? {} : { q }),
    sort: sort.id as KeywordMeasure,
    dir: sort.dir,
  };
  const result = useKeywordsQuery({ siteId, ...query, ...paging }, { refetchOnMountOrArgChange: true });
  const fromFirstPage =
    <T>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setPaging(({ size }) => ({ page: 1, size }));
    };
  return {
    result,
    query,
    by,
    setBy: fromFirstPage(setBy),
    engine,
    setEngine: fromFirstPage(setEngine),
    typed,
    setTyped: fromFirstPage(setTyped),
    sort,
    setSort: fromFirstPage(setSort),
    paging,
    setPage: (page: number): void => setPaging((before) => ({ ...before, page })),
    setSize: (size: number): void => setPaging({ page: 1, size }),
  };
};

export type KeywordList = ReturnType<typeof useKeywordList>;
