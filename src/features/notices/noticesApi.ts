import { noticeCalls } from '@contract/notices/calls';
import type { noticeEndpoints } from '@contract/notices/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof noticeEndpoints>(noticeCalls);

/** Notices stored for the person, on any device. They are read from `noticesSlice` only. */
export const noticesApi = api.injectEndpoints({
  endpoints: (b) => ({
    notices: query(b, calls.notices, { providesTags: [{ type: 'Notice', id: 'LIST' }] }),
    readNotices: mutation(b, calls.readNotices),
  }),
});

export const { useReadNoticesMutation } = noticesApi;
