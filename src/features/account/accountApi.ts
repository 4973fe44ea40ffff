import type { UserChange } from '@contract/account';
import type { SessionRow, User } from '@contract/session';
import { api } from '@/store/api';

type Revised = { readonly id: string; readonly revision: number };

/** The own profile and sign-in. The user is read from its slice only. */
export const accountApi = api.injectEndpoints({
  endpoints: (b) => ({
    user: b.query<User, string>({ query: (id) => `/api/acc/user/${id}`, providesTags: (_user, _error, id) => [{ type: 'User', id }] }),
    changeUser: b.mutation<User, Revised & { change: UserChange }>({
      query: ({ id, revision, change }) => ({ url: `/api/acc/user/${id}`, method: 'PATCH', body: change, ifMatch: revision }),
    }),
    rename: b.mutation<User, { loginName: string }>({
      query: (body) => ({ url: '/api/acc/sign/rename', method: 'POST', body }),
      invalidatesTags: (_user, error) => (error ? [] : ['Security']),
    }),
    changePassword: b.mutation<null, { current: string; next: string }>({
      query: (body) => ({ url: '/api/acc/sign/password', method: 'POST', body }),
      invalidatesTags: (_done, error) => (error ? [] : [{ type: 'Session', id: 'LIST' }, 'Security']),
    }),
    changeAvatar: b.mutation<User, { png: string }>({ query: (body) => ({ url: '/api/acc/avatar', method: 'PUT', body }) }),
    removeAvatar: b.mutation<User, void>({ query: () => ({ url: '/api/acc/avatar', method: 'DELETE' }) }),
    sessions: b.query<SessionRow[], void>({ query: () => '/api/acc/token/sessions', providesTags: [{ type: 'Session', id: 'LIST' }] }),
    endSession: b.mutation<null, string>({
      query: (id) => ({ url: `/api/acc/token/sessions/${id}`, method: 'DELETE' }),
      invalidatesTags: [{ type: 'Session', id: 'LIST' }],
    }),
    signOutEverywhere: b.mutation<{ ended: number }, { keepCurrent: boolean }>({
      query: (body) => ({ url: '/api/acc/token/sign-out-everywhere', method: 'POST', body }),
      invalidatesTags: [{ type: 'Session', id: 'LIST' }],
    }),
  }),
});

export const {
  useUserQuery,
  useChangeUserMutation,
  useRenameMutation,
  useChangePasswordMutation,
  useChangeAvatarMutation,
  useRemoveAvatarMutation,
  useSessionsQuery,
  useEndSessionMutation,
  useSignOutEverywhereMutation,
} = accountApi;
