import { addListener, createAction } from '@reduxjs/toolkit';
import type { IssueChange } from '@contract/crawler/inventorySchemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { inventoryApi, useChangeCrawlIssuesMutation } from '../inventoryApi';

const changeUndone = createAction<{ readonly crawlerId: string; readonly changedAt: string }>('crawler/issueChangeUndone');

/** Takes a change of issues back, when "Undo" is pressed in its notice. */
const undoing = addListener.withTypes<RootState, AppDispatch>()({
  actionCreator: changeUndone,
  effect: async ({ payload: { crawlerId, changedAt } }, { dispatch }) => {
    const { error } = await dispatch(inventoryApi.endpoints.changeCrawlIssues.initiate({ crawlerId, body: { change: 'undo', select: { changedAt } } }));
    notifyFailure(dispatch, error);
  },
});

/** Ignores or reopens issues, with an offer to undo it. Returns whether it was done. */
export function useIssueChange(crawlerId: string) {
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeCrawlIssuesMutation();
  return {
    busy: isLoading,
    change: async (body: IssueChange): Promise<{ readonly error?: unknown }> => {
      const { data, error } = await change({ crawlerId, body });
      if (data === undefined) return { error };
      dispatch(undoing);
      const message = { key: `inventory:issue.${body.change === 'ignore' ? 'ignoredNow' : 'reopenedNow'}`, values: { count: data.changed } };
      const does = changeUndone({ crawlerId, changedAt: data.changedAt });
      dispatch(noticeShown({ tone: 'good', message, action: { message: { key: 'shell:undo' }, does }, for: undoOfferMs }));
      return {};
    },
  };
}
