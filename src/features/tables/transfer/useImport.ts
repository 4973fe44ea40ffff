import { useCallback } from 'react';
import type { TableImport } from '@contract/tables/transfers';
import type { Job } from '@contract/jobs/schemas';
import { selectJobs } from '@/features/jobs/jobsSlice';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { transferApi, useTableImportQuery } from './transferApi';

/** Polling interval of running work, in milliseconds. */
export const pollMs = 1000;
export const isBusy = ({ state }: Pick<TableImport, 'state'>): boolean => state === 'checking' || state === 'running';

/** The job that undoes an import, where there is one; null: none is known. */
export function useUndoJob(it: TableImport | undefined): Job | null {
  const jobs = useAppSelector(selectJobs);
  return (
    (it?.state === 'done' &&
      !it.undone &&
      it.batchId !== null &&
      jobs.find(({ id, state, cancellable }) => id === it.jobId && state !== 'done' && !cancellable)) ||
    null
  );
}

/** One import, polled while it is running; `put` shows the result of a call. */
export function useImport(siteId: string, id: string) {
  const dispatch = useAppDispatch();
  const result = useTableImportQuery({ siteId, id }, { skip: id === '', refetchOnMountOrArgChange: true });
  const it = result.currentData;
  const undoing = useUndoJob(it);
  const busy = it !== undefined && (isBusy(it) || undoing?.state === 'queued' || undoing?.state === 'running');
  useTableImportQuery({ siteId, id }, { skip: id === '', pollingInterval: busy ? pollMs : 0, skipPollingIfUnfocused: true });
  const put = useCallback(
    (now: TableImport): void => {
      const params = { siteId, id: now.id };
      const cacheUpdate = dispatch(transferApi.util.upsertQueryData('tableImport', params, now));
      // A request sent earlier may return the previous state after this; a newer request replaces its result.
      const again = () => dispatch(transferApi.endpoints.tableImport.initiate(params, { forceRefetch: true, subscribe: false }));
      if (now.state !== 'uploading') void cacheUpdate.then(again);
    },
    [dispatch, siteId],
  );
  /** Shows an import whose file has arrived. A request sent before may still be pending, and would return the state before. */
  const arrived = async (arrivedId: string): Promise<void> => {
    const again = () => dispatch(transferApi.endpoints.tableImport.initiate({ siteId, id: arrivedId }, { forceRefetch: true, subscribe: false }));
    if ((await again()).data?.state === 'uploading') await again();
  };
  return { it, error: result.error, isFetching: result.isFetching, refetch: result.refetch, put, arrived };
}
