import { createSelector, createSlice } from '@reduxjs/toolkit';
import type { Colleague, User } from '@contract/session/schemas';
import { accountApi } from './accountApi';

/** The signed-in person, by id: another may sign in in the same tab. */
type State = { byId: Record<string, User> };
const initialState: State = { byId: {} };

export const userSlice = createSlice({
  name: 'user',
  initialState,
  reducers: {},
  extraReducers: (b) => {
    const { user, changeUser, rename, changeAvatar, removeAvatar } = accountApi.endpoints;
    for (const endpoint of [user, changeUser, rename, changeAvatar, removeAvatar]) {
      b.addMatcher(endpoint.matchFulfilled, (state, { payload }: { payload: User | Colleague }) => {
        // Responses about other people contain less and are not stored here.
        if ('loginName' in payload) state.byId[payload.id] = payload;
      });
    }
    // Language and colours change optimistically; the response, or a fetch after a failure, is final.
    b.addMatcher(changeUser.matchPending, (state, { meta }) => {
      const { id, body } = meta.arg.originalArgs;
      const { locale, colorScheme, primary, notices } = body;
      const before = state.byId[id];
      if (before) Object.assign(before, locale && { locale }, colorScheme && { colorScheme }, primary && { primary }, notices && { notices });
    });
  },
});

type Root = { user: State; session: { session: { userId: string } | null } };
/** The signed-in person; null until loaded. */
export const selectUser = createSelector([(root: Root) => root.user.byId, (root: Root) => root.session.session?.userId], (byId, id): User | null =>
  id === undefined ? null : (byId[id] ?? null),
);
