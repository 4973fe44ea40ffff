import type { UserChange } from '@contract/account/schemas';
import type { User } from '@contract/session/schemas';
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
    changeAvatar: b.mutation<User, { png: string }>({ query: (body) => ({ url: '/api/acc/avatar', method: 'PUT', body }) }),
    removeAvatar: b.mutation<User, void>({ query: () => ({ url: '/api/acc/avatar', method: 'DELETE' }) }),
  }),
});

export const { useUserQuery, useChangeUserMutation, useRenameMutation, useChangeAvatarMutation, useRemoveAvatarMutation } = accountApi;
