import { accountCalls } from '@contract/account/calls';
import type { accountEndpoints } from '@contract/account/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof accountEndpoints>(accountCalls);

/** The person's own profile and sign-in. The user is read from its slice only. */
export const accountApi = api.injectEndpoints({
  endpoints: (b) => ({
    user: query(b, calls.user, { providesTags: (_user, _error, { id }) => [{ type: 'User', id }] }),
    changeUser: mutation(b, calls.changeUser),
    rename: mutation(b, calls.rename, { invalidatesTags: (_user, error) => (error ? [] : ['Security']) }),
    changeAvatar: mutation(b, calls.changeAvatar),
    removeAvatar: mutation(b, calls.removeAvatar),
  }),
});

export const { useUserQuery, useChangeUserMutation, useRenameMutation, useChangeAvatarMutation, useRemoveAvatarMutation } = accountApi;
