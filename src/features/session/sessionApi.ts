import type { Session } from '@contract/session/schemas';
import { api } from '@/store/api';

export const sessionApi = api.injectEndpoints({
  endpoints: (b) => ({
    /** The current session, or null when nobody is signed in. */
    session: b.query<Session | null, void>({ query: () => '/api/acc/token/session', providesTags: ['Session'] }),
    signOut: b.mutation<null, void>({ query: () => ({ url: '/api/acc/token/sign-out', method: 'POST' }) }),
  }),
});

export const { useSignOutMutation } = sessionApi;
