import { createSlice } from '@reduxjs/toolkit';
import type { InstanceAction } from '@contract/permissions';
import type { Session } from '@contract/session/schemas';
import { newBuildDetected, sessionExpired, signedOut } from '@/store/events';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { sessionApi } from './sessionApi';

/**
 * `loading`: not known yet. `none`: nobody is signed in. `present`: the console runs. `failed`: the session could not be loaded. `expired`: it ended
 * during work; input is stored as drafts.
 */
export type SessionStatus = 'loading' | 'none' | 'present' | 'failed' | 'expired';
type State = { status: SessionStatus; session: Session | null; failure: ApiFailure | null; newBuild: string | null };
const initialState: State = { status: 'loading', session: null, failure: null, newBuild: null };

const { session: endpoint } = sessionApi.endpoints;

export const sessionSlice = createSlice({
  name: 'session',
  initialState,
  reducers: {},
  extraReducers: (b) =>
    b
      .addCase(signedOut, (state) => ({ ...initialState, status: 'none', newBuild: state.newBuild }))
      .addCase(sessionExpired, (state) => {
        state.status = 'expired';
      })
      .addCase(newBuildDetected, (state, { payload }) => {
        state.newBuild = payload;
      })
      .addMatcher(endpoint.matchPending, (state) => {
        // A refresh keeps the console on the screen.
        if (state.status === 'failed') state.status = 'loading';
      })
      .addMatcher(endpoint.matchFulfilled, (state, { payload }) => {
        state.status = payload ? 'present' : 'none';
        state.session = payload;
        state.failure = null;
      })
      .addMatcher(endpoint.matchRejected, (state, { payload, meta }) => {
        // A working console is not replaced because one refresh failed.
        if (meta.condition || state.status === 'present') return;
        state.status = 'failed';
        state.failure = isFailure(payload) ? payload : null;
      }),
  selectors: {
    selectSessionStatus: (state) => state.status,
    selectSession: (state) => state.session,
    selectSessionFailure: (state) => state.failure,
    selectNewBuild: (state) => state.newBuild,
    /** Whether the person has this permission on the installation: forbidden actions are hidden. */
    selectMay: (state, action: InstanceAction): boolean => state.session?.can.includes(action) ?? false,
  },
});

export const { selectSessionStatus, selectSession, selectSessionFailure, selectNewBuild, selectMay } = sessionSlice.selectors;
