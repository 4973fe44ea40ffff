import { createSlice } from '@reduxjs/toolkit';
import type { Language } from '@contract/sites/schemas';
import { startUpReplaced } from '@/store/events';
import { sitesApi } from '@/features/sites/sitesApi';

/** The installation's languages (the `intls` of the start-up load). */
type State = { list: Language[] };
const initialState: State = { list: [] };

export const languagesSlice = createSlice({
  name: 'intls',
  initialState,
  reducers: {},
  extraReducers: (b) =>
    b
      .addCase(startUpReplaced, (state, { payload }) => {
        state.list = payload.intls;
      })
      .addMatcher(sitesApi.endpoints.load.matchFulfilled, (state, { payload }) => {
        state.list = payload.intls;
      }),
  selectors: { selectLanguages: (state) => state.list },
});

export const { selectLanguages } = languagesSlice.selectors;
