import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Day } from '@/lib/days';
import { useToday } from '@/lib/useToday';
import { changed, readState, type ReportState, writeState } from './urlState';

/** Changes a report's address: choices can be undone by "back", typing and sorting replace the entry. */
export type Change = (change: Partial<ReportState>, how?: 'push' | 'replace') => void;

/**
 * The report's state in the address. It has its own parser instead of `lib/searchState`, because its values depend on each other and on the site's
 * current day.
 */
export const useReportState = (timeZone: string): { readonly state: ReportState; readonly change: Change; readonly today: Day } => {
  const [params, setParams] = useSearchParams();
  const today = useToday(timeZone);
  const state = useMemo(() => readState(params, today), [params, today]);
  const change = useCallback<Change>(
    (values, how = 'push') =>
      setParams((before) => writeState(changed(readState(before, today), values), before), { replace: how === 'replace', preventScrollReset: true }),
    [setParams, today],
  );
  return { state, change, today };
};
