import { sessionCalls } from '@contract/session/calls';
import type { sessionEndpoints } from '@contract/session/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<Pick<typeof sessionEndpoints, keyof typeof sessionCalls>>(sessionCalls);

export const sessionApi = api.injectEndpoints({
  endpoints: (b) => ({
    /** The current session, or null if nobody is signed in. */
    session: query(b, calls.session, { providesTags: ['Session'] }),
    signOut: mutation(b, calls.signOut),
  }),
});

export const { useSignOutMutation } = sessionApi;
