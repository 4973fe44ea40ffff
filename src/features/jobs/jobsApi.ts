import type { Job } from '@contract/jobs/schemas';
import { api } from '@/store/api';

/** Jobs are read from `jobsSlice` only. */
export const jobsApi = api.injectEndpoints({
  endpoints: (b) => ({
    jobs: b.query<Job[], void>({ query: () => '/api/core/jobs', providesTags: [{ type: 'Job', id: 'LIST' }] }),
    cancelJob: b.mutation<Job, string>({ query: (id) => ({ url: `/api/core/jobs/${id}/cancel`, method: 'POST' }) }),
  }),
});

export const { useCancelJobMutation } = jobsApi;
