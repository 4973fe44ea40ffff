import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Day } from '@/lib/days';
import { useToday } from '@/lib/useToday';
import { changed, readState, type ReportState, writeState } from './urlState';

/** How a report's address changes: a choice can be undone by "back", typing and sorting replace. */
export type Change = (change: Partial<ReportState>, how?: 'push' | 'replace') => void;

/**
 * The state of the report in the address. Its own reader is used instead of `lib/searchState` because its values
 * depend on each other and on the site's today.
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
