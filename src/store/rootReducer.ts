import { combineReducers } from '@reduxjs/toolkit';
import type { UnknownAction } from '@reduxjs/toolkit';
import { contactsSlice } from '@/features/contacts/contactsSlice';
import { userSlice } from '@/features/account/userSlice';
import { jobsSlice } from '@/features/jobs/jobsSlice';
import { intlsSlice } from '@/features/languages/intlsSlice';
import { noticesSlice } from '@/features/notices/noticesSlice';
import { sessionSlice } from '@/features/session/sessionSlice';
import { sitesSlice } from '@/features/sites/sitesSlice';
import { api } from './api';
import { otherPersonSeen, signedOut } from './events';

const combined = combineReducers({
  session: sessionSlice.reducer,
  user: userSlice.reducer,
  sites: sitesSlice.reducer,
  intls: intlsSlice.reducer,
  contacts: contactsSlice.reducer,
  notices: noticesSlice.reducer,
  jobs: jobsSlice.reducer,
  [api.reducerPath]: api.reducer,
});

export type RootState = ReturnType<typeof combined>;

/** Signing out, or another person's signing in, leaves nothing of the person behind. The API's own part is reset by its own action (sessionListeners). */
export function rootReducer(state: RootState | undefined, action: UnknownAction): RootState {
  if (state && (signedOut.match(action) || otherPersonSeen.match(action))) {
    const blank = combined(undefined, { type: '@@blank' });
    return combined({ ...blank, session: state.session, [api.reducerPath]: state[api.reducerPath] }, action);
  }
  return combined(state, action);
}
