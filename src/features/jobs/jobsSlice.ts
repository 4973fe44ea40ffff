import { createSelector, createSlice } from '@reduxjs/toolkit';
import type { PayloadAction } from '@reduxjs/toolkit';
import type { Job } from '@contract/jobs/schemas';
import { jobsApi } from './jobsApi';

/** The jobs panel: recent and running jobs, newest first; `viewedIds` are those of finished ones that the person has viewed. */
type State = { list: Job[]; viewedIds: string[] };
const initialState: State = { list: [], viewedIds: [] };

export const isRunning = (job: Job): boolean => job.state === 'queued' || job.state === 'running';

export const jobsSlice = createSlice({
  name: 'jobs',
  initialState,
  reducers: {
    jobsViewed: (state, { payload }: PayloadAction<readonly string[]>) => {
      state.viewedIds = [...new Set([...state.viewedIds, ...payload])];
    },
  },
  extraReducers: (b) =>
    b
      .addMatcher(jobsApi.endpoints.jobs.matchFulfilled, (state, { payload }) => {
        state.list = payload;
        state.viewedIds = state.viewedIds.filter((id) => payload.some((job) => job.id === id));
      })
      .addMatcher(jobsApi.endpoints.cancelJob.matchFulfilled, (state, { payload }) => {
        state.list = state.list.map((job) => (job.id === payload.id ? payload : job));
      }),
  selectors: {
    selectJobs: (state) => state.list,
    selectRunningJobs: createSelector([(state: State) => state.list], (list) => list.filter(isRunning)),
    selectUnviewedJobs: createSelector([(state: State) => state.list, (state: State) => state.viewedIds], (list, viewedIds) =>
      list.filter((job) => !isRunning(job) && !viewedIds.includes(job.id)),
    ),
  },
});

export const { jobsViewed } = jobsSlice.actions;
export const { selectJobs, selectRunningJobs, selectUnviewedJobs } = jobsSlice.selectors;
