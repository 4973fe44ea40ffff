import { isFulfilled, isRejected } from '@reduxjs/toolkit';
import type { ErrorCode } from '@contract/errors';
import { clearDrafts } from '@/lib/clearDrafts';
import { buildOfThisPage } from '@/lib/build';
import { goToSignIn } from '@/lib/signInAddress';
import { broadcastToTabs } from '@/lib/tabs';
import { api } from '@/store/api';
import type { CallMeta } from '@/store/baseQuery';
import { newBuildDetected, personReplaced, sessionExpired, signedOut } from '@/store/events';
import { isFailure } from '@/lib/failure';
import type { StartListening } from '@/store/listeners';
import { sessionApi } from './sessionApi';
import { selectNewBuild, selectSession, selectSessionStatus } from './sessionSlice';

/** Codes of a 401 about the submitted credentials, not about the session. */
const otherRefusals: readonly string[] = ['bad_credentials', 'bad_code', 'ticket_ended'] satisfies ErrorCode[];

const metaOf = (action: { meta?: unknown }): CallMeta | undefined => (action.meta as { baseQueryMeta?: CallMeta } | undefined)?.baseQueryMeta;

/**
 * Session changes, whoever caused them. Navigation happens here and not in a component: replaying actions in DevTools runs reducers only, and must
 * not leave the page.
 */
export function listenToSession(start: StartListening): void {
  start({
    matcher: sessionApi.endpoints.session.matchFulfilled,
    effect: ({ payload }, { dispatch, getOriginalState }) => {
      const before = selectSession(getOriginalState());
      if (payload === null) return goToSignIn(before !== null);
      if (before === null || before.userId === payload.userId) return;
      dispatch(personReplaced());
      dispatch(api.util.resetApiState());
    },
  });
  start({
    matcher: sessionApi.endpoints.signOut.matchFulfilled,
    effect: (_action, { dispatch }) => {
      dispatch(signedOut());
    },
  });
  start({
    actionCreator: signedOut,
    effect: ({ payload: elsewhereAt }, { dispatch }) => {
      const at = elsewhereAt ?? Date.now();
      clearDrafts(at);
      if (elsewhereAt === undefined) broadcastToTabs({ type: 'signedOut', at });
      dispatch(api.util.resetApiState());
      goToSignIn();
    },
  });
  // Once, from anywhere: `expired` is not `present`, so the second 401 has no effect.
  start({
    predicate: (action) =>
      isRejected(action) && isFailure(action.payload) && action.payload.status === 401 && !otherRefusals.includes(action.payload.code ?? ''),
    effect: (_action, { dispatch, getState }) => {
      if (selectSessionStatus(getState()) === 'present') dispatch(sessionExpired());
    },
  });
  // The grace period ended during work, or an owner reset the second factor.
  start({
    predicate: (action) => isRejected(action) && isFailure(action.payload) && action.payload.code === 'enrolment_required',
    effect: (_action, { dispatch, getState }) => {
      if (selectSession(getState())?.enrolment === 'required') return;
      void dispatch(sessionApi.endpoints.session.initiate(undefined, { forceRefetch: true, subscribe: false }));
    },
  });
  start({
    actionCreator: sessionExpired,
    effect: () => {
      broadcastToTabs({ type: 'expired' });
      goToSignIn(true);
    },
  });
  start({
    predicate: (action) => {
      const build = isFulfilled(action) || isRejected(action) ? metaOf(action)?.build : undefined;
      return build !== undefined && buildOfThisPage() !== '' && build !== buildOfThisPage();
    },
    effect: (action, { dispatch, getState }) => {
      const build = metaOf(action as { meta?: unknown })?.build;
      if (build !== undefined && selectNewBuild(getState()) !== build) dispatch(newBuildDetected(build));
    },
  });
}
