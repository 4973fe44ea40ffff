import { guestbookCalls } from '@contract/guestbook/calls';
import type { guestbookEndpoints } from '@contract/guestbook/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof guestbookEndpoints>(guestbookCalls);

export const guestbookApi = api.enhanceEndpoints({ addTagTypes: ['Guestbook'] }).injectEndpoints({
  endpoints: (b) => ({
    guestbook: query(b, calls.guestbook, { providesTags: ['Guestbook'] }),
    clearGuestbook: mutation(b, calls.clearGuestbook, { invalidatesTags: ['Guestbook'] }),
  }),
});

export const { useGuestbookQuery, useClearGuestbookMutation } = guestbookApi;
