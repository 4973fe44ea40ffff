import { combineReducers } from '@reduxjs/toolkit';
import type { Reducer, UnknownAction } from '@reduxjs/toolkit';
import { userSlice } from '@/features/account/userSlice';
import { jobsSlice } from '@/features/jobs/jobsSlice';
import { languagesSlice } from '@/features/languages/languagesSlice';
import { noticesSlice } from '@/features/notices/noticesSlice';
import { sessionSlice } from '@/features/session/sessionSlice';
import { sitesSlice } from '@/features/sites/sitesSlice';
import { api } from './api';
import { personReplaced, signedOut } from './events';

const reducers = {
  session: sessionSlice.reducer,
  user: userSlice.reducer,
  sites: sitesSlice.reducer,
  intls: languagesSlice.reducer,
  notices: noticesSlice.reducer,
  jobs: jobsSlice.reducer,
  [api.reducerPath]: api.reducer,
};
let combined = combineReducers(reducers);

/** Slices of lazily loaded pages. Each adds its part with `declare module`. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/consistent-type-definitions -- only an interface can be added to
export interface LazySlices {}

export type RootState = ReturnType<typeof combined> & Partial<LazySlices>;

/** Adds the slice of a lazily loaded page. Its selectors must handle a state without it. */
export function injectSlice({ name, reducer }: { readonly name: string; readonly reducer: Reducer }): void {
  combined = combineReducers(Object.assign(reducers, { [name]: reducer }));
}

/**
 * Sign-out, or the sign-in of another person, removes all of the person's state. The API's own state is reset by its own action (sessionListeners).
 */
export function rootReducer(state: RootState | undefined, action: UnknownAction): RootState {
  if (state && (signedOut.match(action) || personReplaced.match(action))) {
    const blank = combined(undefined, { type: '@@blank' });
    return combined({ ...blank, session: state.session, [api.reducerPath]: state[api.reducerPath] }, action);
  }
  return combined(state, action);
}
