import { createAction } from '@reduxjs/toolkit';
import type { Site } from '@contract/sites/schemas';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/store/failure';
import type { StartListening } from '@/store/listeners';
import { sitesApi } from './sitesApi';
import { replacedById, selectSite } from './sitesSlice';

/** Archive a site or make it active again. Plain data, so that a notice can carry the way back. */
export const siteStateWanted = createAction<{
  readonly id: string;
  readonly to: 'active' | 'archived';
  /** It is itself an undo: no second undo is offered. */ readonly undoing?: boolean;
}>('sites/stateWanted');

/** What a reader sees of a site before the server has agreed. */
export function listenToSites(start: StartListening): void {
  // A change of name is on the screen at once and goes back when it is refused: to the server's version where one came along.
  start({
    matcher: sitesApi.endpoints.changeSite.matchPending,
    effect: async ({ meta }, { dispatch, getState, getOriginalState, take }) => {
      const { siteId, body } = meta.arg.originalArgs;
      const before = selectSite(getOriginalState(), siteId);
      if (!before) return;
      const { name } = body;
      if (name !== undefined) dispatch(replacedById({ ...before, name: name.trim() }));
      const { matchFulfilled, matchRejected } = sitesApi.endpoints.changeSite;
      const [end] = await take((action) => (matchFulfilled(action) || matchRejected(action)) && action.meta.requestId === meta.requestId);
      if (!matchRejected(end)) return;
      const failure = isFailure(end.payload) ? end.payload : undefined;
      const current = failure?.current as Site | undefined;
      // Only the name goes back: anything else may have changed meanwhile.
      const now = selectSite(getState(), siteId);
      if (current ?? now) dispatch(replacedById(current ?? { ...(now ?? before), name: before.name }));
    },
  });

  start({
    actionCreator: siteStateWanted,
    effect: async ({ payload: { id, to, undoing = false } }, { dispatch, getState }) => {
      const before = selectSite(getState(), id);
      if (!before || before.state === to) return;
      dispatch(replacedById({ ...before, state: to }));
      const { data, error } = await dispatch(sitesApi.endpoints.setSiteState.initiate({ siteId: id, body: { to } }));
      if (data) {
        dispatch(
          noticeShown({
            id: `site-state-${id}`,
            words: { key: to === 'archived' ? 'sites:notice.archived' : 'sites:notice.unarchived', values: { name: data.name } },
            ...(!undoing && {
              action: { words: { key: 'sites:notice.undo' }, does: siteStateWanted({ id, to: to === 'archived' ? 'active' : 'archived', undoing: true }) },
            }),
          }),
        );
        return;
      }
      const now = selectSite(getState(), id);
      if (now) dispatch(replacedById({ ...now, state: before.state }));
      if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    },
  });
}
