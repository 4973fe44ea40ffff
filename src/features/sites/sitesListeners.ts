import { addListener, createAction } from '@reduxjs/toolkit';
import type { TypedAddListener } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import type { Site, SiteStateChange } from '@contract/sites/schemas';
import { isOpen } from '@contract/sites/terms';
import type { SiteMove } from '@contract/sites/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { AppDispatch, RootState } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { sitesApi } from './sitesApi';
import { replacedById, selectSite } from './sitesSlice';

/** Changes the state of a site. Plain data, so that a notice can contain its undo. */
export const siteStateRequested = createAction<{
  readonly id: string;
  readonly to: SiteMove;
  /** Of a suspension. */
  readonly reason?: string;
  /** It is an undo itself: no further undo is offered. */ readonly undoing?: boolean;
}>('sites/stateRequested');

const addAppListener = addListener as TypedAddListener<RootState, AppDispatch>;

/** A rename is shown immediately and reverted on failure: to the server's version if the response contains one. */
const renameListener = addAppListener({
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
    // Only the name is reverted: other fields may have changed meanwhile.
    const now = selectSite(getState(), siteId);
    if (current ?? now) dispatch(replacedById(current ?? { ...(now ?? before), name: before.name }));
  },
});

/** The move back to what a site was; null if no single move leads there. */
function moveBack({ state, suspendedReason }: Site, to: SiteMove): SiteStateChange | null {
  if (to === 'archived' || to === 'suspended') return isOpen(state) ? { to: 'open' } : null;
  if (state === 'suspended') return suspendedReason === null ? null : { to: state, reason: suspendedReason };
  return state === 'draft' || state === 'deleted' ? null : { to: state };
}

/** Changes of state, and their undo, are shown before the server has responded. */
const stateListener = addAppListener({
  actionCreator: siteStateRequested,
  effect: async ({ payload: { id, to, reason = '', undoing = false } }, { dispatch, getState }) => {
    const before = selectSite(getState(), id);
    if (!before || before.state === to) return;
    // The server knows the open state to which the site returns.
    dispatch(replacedById({ ...before, state: to === 'open' ? 'published' : to, suspendedReason: to === 'suspended' ? reason : null }));
    const { data, error } = await dispatch(sitesApi.endpoints.setSiteState.initiate({ siteId: id, body: to === 'suspended' ? { to, reason } : { to } }));
    if (data) {
      const back = moveBack(before, to);
      dispatch(
        noticeShown({
          id: `site-state-${id}`,
          message: { key: `sites:notice.${to}`, values: { name: data.name } },
          ...(!undoing && back !== null && { action: { message: { key: 'sites:notice.undo' }, does: siteStateRequested({ id, ...back, undoing: true }) } }),
        }),
      );
      return;
    }
    const now = selectSite(getState(), id);
    if (now) dispatch(replacedById({ ...now, state: before.state, suspendedReason: before.suspendedReason }));
    notifyFailure(dispatch, error);
  },
});

/**
 * For components that rename or archive sites. A store registers each listener once and keeps it: the response may arrive after the screen was left.
 */
export function useSiteListeners(): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(renameListener);
    dispatch(stateListener);
  }, [dispatch]);
}
