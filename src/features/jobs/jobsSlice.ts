import { createSelector, createSlice } from '@reduxjs/toolkit';
import type { PayloadAction } from '@reduxjs/toolkit';
import type { Job } from '@contract/jobs/schemas';
import { jobsApi } from './jobsApi';

/** The jobs panel: recent and running jobs, newest first; `seen` are finished ones that the person has viewed. */
type State = { list: Job[]; seen: string[] };
const initialState: State = { list: [], seen: [] };

export const isRunning = (job: Job): boolean => job.state === 'queued' || job.state === 'running';

export const jobsSlice = createSlice({
  name: 'jobs',
  initialState,
  reducers: {
    traySeen: (state, { payload }: PayloadAction<readonly string[]>) => {
      state.seen = [...new Set([...state.seen, ...payload])];
    },
  },
  extraReducers: (b) =>
    b
      .addMatcher(jobsApi.endpoints.jobs.matchFulfilled, (state, { payload }) => {
        state.list = payload;
        state.seen = state.seen.filter((id) => payload.some((job) => job.id === id));
      })
      .addMatcher(jobsApi.endpoints.cancelJob.matchFulfilled, (state, { payload }) => {
        state.list = state.list.map((job) => (job.id === payload.id ? payload : job));
      }),
  selectors: {
    selectJobs: (state) => state.list,
    selectRunningJobs: createSelector([(state: State) => state.list], (list) => list.filter(isRunning)),
    selectUnseenJobs: createSelector([(state: State) => state.list, (state: State) => state.seen], (list, seen) =>
      list.filter((job) => !isRunning(job) && !seen.includes(job.id)),
    ),
  },
});

export const { traySeen } = jobsSlice.actions;
export const { selectJobs, selectRunningJobs, selectUnseenJobs } = jobsSlice.selectors;
