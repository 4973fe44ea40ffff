import { isAnyOf } from '@reduxjs/toolkit';
import { jobsApi } from '@/features/jobs/jobsApi';
import { selectRunningJobs } from '@/features/jobs/jobsSlice';
import { noticeDismissed, noticeShown } from '@/features/notices/noticesSlice';
import { currentLocale } from '@/i18n';
import { otherPersonSeen, sessionExpired, signedOut } from '@/store/events';
import { listen, offeredMs, offerUndo, undoableMade } from '../undoing';
import { transferApi } from './transferApi';
import { isBusy } from './useImport';

const { startTableImport, tableImport, undoTableImport } = transferApi.endpoints;
const { matchFulfilled: jobsHeard } = jobsApi.endpoints.jobs;
const personGone = isAnyOf(signedOut, sessionExpired, otherPersonSeen);

/** What is imported is told when it is there, with the way back, whether the wizard is still open or not. */
export const importEnds = listen({
  matcher: startTableImport.matchFulfilled,
  effect: async ({ meta, payload }, { dispatch, getState, take }) => {
    const { siteId, id, body } = meta.arg.originalArgs;
    if (body.dryRun) return;
    let now = payload;
    while (isBusy(now)) {
      // Whoever looks at the import hears it first; else the tray does.
      const [heard] = await take(
        (action) => (tableImport.matchFulfilled(action) && action.meta.arg.originalArgs.id === id) || jobsHeard(action) || personGone(action),
      );
      if (personGone(heard)) return;
      if (tableImport.matchFulfilled(heard)) now = heard.payload;
      else if (!selectRunningJobs(getState()).some((job) => job.id === now.jobId)) {
        const asked = await dispatch(tableImport.initiate({ siteId, id }, { subscribe: false, forceRefetch: true }));
        if (!asked.data) return;
        now = asked.data;
      }
    }
    const { state, undone, batchId, tableId, counts, file } = now;
    if (state !== 'done' || undone || tableId === null) return;
    const { format: number } = new Intl.NumberFormat(currentLocale());
    const notice = `import-${id}`;
    const words = { key: 'tableTransfer:done.told', values: { name: file.name, insert: number(counts?.insert ?? 0), update: number(counts?.update ?? 0) } };
    if (batchId === null) return void dispatch(noticeShown({ id: notice, tone: 'good', words }));
    const made = { siteId, table: tableId, batch: batchId, importId: id };
    // A key must not throw away a whole table: that takes the notice or the wizard.
    if (!now.madeTable) dispatch(undoableMade(made));
    offerUndo(dispatch, { id: notice, words, undo: made });
    // Taken back in the wizard, it is not offered any more.
    if (await take((action) => undoTableImport.matchFulfilled(action) && action.meta.arg.originalArgs.id === id, offeredMs)) dispatch(noticeDismissed(notice));
  },
});
