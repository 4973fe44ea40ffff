import { createAction, isAnyOf } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import type { TableImport } from '@contract/tables/transfers';
import { jobsApi } from '@/features/jobs/jobsApi';
import { selectRunningJobs } from '@/features/jobs/jobsSlice';
import { noticeDismissed, noticeShown } from '@/features/notices/noticesSlice';
import { currentLocale, ensureMessages } from '@/i18n';
import type { AppDispatch } from '@/store';
import { personReplaced, sessionExpired, signedOut } from '@/store/events';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { undoOfferMs } from '@/lib/undoOffer';
import { addTableListener, offerUndo, undoableCreated } from '../undo';
import { transferApi } from './transferApi';
import { isBusy } from './useImport';

const { startTableImport, tableImport, tableImports, undoTableImport } = transferApi.endpoints;
const { matchFulfilled: jobsHeard } = jobsApi.endpoints.jobs;
const personGone = isAnyOf(signedOut, sessionExpired, personReplaced);
/** The job tray contains the job of an import, which may have been started before the page was loaded. */
const importFound = createAction<{ readonly siteId: string; readonly jobId: string }>('tables/importFound');
/** Imports whose end is awaited, by store. */
const followed = new WeakMap<AppDispatch, Set<string>>();

/** Reports a finished import, with a way to undo it, whether or not the wizard is still open. */
const importNotices = addTableListener({
  matcher: isAnyOf(startTableImport.matchFulfilled, importFound),
  effect: async (action, { dispatch, getState, take }) => {
    const started = startTableImport.matchFulfilled(action) ? { ...action.meta.arg.originalArgs, now: action.payload } : null;
    const foundJob = importFound.match(action) ? action.payload : null;
    const siteId = started?.siteId ?? foundJob?.siteId;
    if (siteId === undefined || started?.body.dryRun === true) return;
    const waiting = followed.get(dispatch) ?? new Set<string>();
    followed.set(dispatch, waiting);
    const found = async (): Promise<TableImport | undefined> => {
      const { data } = await dispatch(tableImports.initiate({ siteId }, { subscribe: false, forceRefetch: true }));
      return data?.find((one) => one.jobId === foundJob?.jobId && one.state === 'running' && one.own);
    };
    const begun = started?.now ?? (await found());
    if (!begun) return;
    let now = begun;
    const { id } = now;
    if (waiting.has(id)) return;
    waiting.add(id);
    /** Refetches the import, unless the tray shows its job as running. Returns whether its state is known. */
    const refetchImport = async (): Promise<boolean> => {
      const { jobId } = now;
      if (selectRunningJobs(getState()).some((job) => job.id === jobId)) return true;
      const { data } = await dispatch(tableImport.initiate({ siteId, id }, { subscribe: false, forceRefetch: true }));
      if (data) now = data;
      return data !== undefined;
    };
    try {
      // It may have ended while the list was being fetched.
      if (!started && !(await refetchImport())) return;
      while (isBusy(now)) {
        // An open import screen fetches the import first; otherwise the job tray reports it.
        const [nextAction] = await take((one) => (tableImport.matchFulfilled(one) && one.meta.arg.originalArgs.id === id) || jobsHeard(one) || personGone(one));
        if (personGone(nextAction)) return;
        if (tableImport.matchFulfilled(nextAction)) now = nextAction.payload;
        else if (!(await refetchImport())) return;
      }
    } finally {
      waiting.delete(id);
    }
    const { state, undone, batchId, tableId, counts, file } = now;
    if (state !== 'done' || undone || tableId === null) return;
    // The current screen may not have loaded the wizard's messages.
    await ensureMessages(['tableTransfer', 'tables']);
    const { format: number } = new Intl.NumberFormat(currentLocale());
    const notice = `import-${id}`;
    const message = {
      key: 'tableTransfer:done.imported',
      values: { name: file.name, insert: number(counts?.insert ?? 0), update: number(counts?.update ?? 0) },
    };
    if (batchId === null) return void dispatch(noticeShown({ id: notice, tone: 'good', message }));
    const undoable = { siteId, table: tableId, batch: batchId, importId: id };
    // The undo key must not remove a whole table: that takes the notice or the wizard.
    if (!now.createdTable) dispatch(undoableCreated(undoable));
    offerUndo(dispatch, { id: notice, message, undo: undoable });
    // Once the import has been undone in the wizard, the notice is dismissed.
    if (await take((one) => undoTableImport.matchFulfilled(one) && one.meta.arg.originalArgs.id === id, undoOfferMs)) dispatch(noticeDismissed(notice));
  },
});

/**
 * Reports the end of imports into a site: of those started from now on, and of the user's own that are already running. It continues after the screen is left.
 */
export function useImportNotices(siteId: string): void {
  const dispatch = useAppDispatch();
  const running = useAppSelector(selectRunningJobs)
    .flatMap((job) => (job.kind === 'tables.import' && job.siteId === siteId ? [job.id] : []))
    .join(' ');
  useEffect(() => {
    dispatch(importNotices);
    for (const jobId of running.split(' ')) if (jobId !== '') dispatch(importFound({ siteId, jobId }));
  }, [dispatch, running, siteId]);
}
