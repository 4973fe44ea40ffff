import { jobCalls } from '@contract/jobs/calls';
import type { jobEndpoints } from '@contract/jobs/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof jobEndpoints>(jobCalls);

/** Jobs are read from `jobsSlice` only. */
export const jobsApi = api.injectEndpoints({
  endpoints: (b) => ({
    jobs: query(b, calls.jobs, { providesTags: [{ type: 'Job', id: 'LIST' }] }),
    cancelJob: mutation(b, calls.cancelJob),
  }),
});

export const { useCancelJobMutation } = jobsApi;
