import { addListener, createAction } from '@reduxjs/toolkit';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { sitesApi } from './sitesApi';

/** “Undo” was pressed after a site was moved to the bin: `to` is the state that it had. Plain data, so that a notice can contain it. */
const deletionUndone = createAction<{ readonly id: string; readonly to: 'open' | 'archived' }>('sites/deletionUndone');

/** Notifies that a site left the bin. With one site of the demo its other sites leave it too. */
export const notifyRestored = (dispatch: AppDispatch, { name, demo }: Pick<Site, 'name' | 'demo'>): void => {
  dispatch(noticeShown({ message: demo ? { key: 'sites:notice.demoRestored' } : { key: 'sites:notice.restored', values: { name } } }));
};

const undoing = addListener.withTypes<RootState, AppDispatch>()({
  actionCreator: deletionUndone,
  effect: async ({ payload: { id, to } }, { dispatch }) => {
    const move = (state: 'open' | 'archived') => dispatch(sitesApi.endpoints.setSiteState.initiate({ siteId: id, body: { to: state } }));
    let { data, error } = await move('open');
    // A site leaves the bin as an open one.
    if (data && to === 'archived') ({ data, error } = await move('archived'));
    if (data) notifyRestored(dispatch, data);
    else notifyFailure(dispatch, error);
  },
});

/** Notifies that a site was moved to the bin. People who may restore it can undo that; `site` is its state before the deletion. */
export function notifyDeleted(dispatch: AppDispatch, { id, name, state, role, demo }: Site): void {
  dispatch(undoing);
  const to = state === 'archived' ? 'archived' : 'open';
  dispatch(
    noticeShown({
      id: `site-deleted-${id}`,
      message: demo ? { key: 'sites:notice.demoDeleted' } : { key: 'sites:notice.deleted', values: { name } },
      ...(mayOnSite(role, 'site.archive') && { action: { message: { key: 'shell:undo' }, does: deletionUndone({ id, to }) }, for: undoOfferMs }),
    }),
  );
}
