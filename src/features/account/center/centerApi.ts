import type { SignInRecord } from '@contract/account/factors';
import type { SessionRow } from '@contract/session/schemas';
import type { ApiToken, ApiTokenInput } from '@contract/tokens/schemas';
import { api } from '@/store/api';

type SignIns = { readonly rows: readonly SignInRecord[]; readonly total: number };

/** Parts of the own account that only its page asks for. */
export const centerApi = api.injectEndpoints({
  endpoints: (b) => ({
    signIns: b.query<SignIns, { page: number; size: number }>({ query: (params) => ({ url: '/api/acc/sign-ins', params }), providesTags: ['SignIn'] }),
    tokens: b.query<ApiToken[], void>({ query: () => '/api/acc/tokens', providesTags: ['Token'] }),
    addToken: b.mutation<{ token: ApiToken; value: string }, ApiTokenInput>({
      query: (body) => ({ url: '/api/acc/tokens', method: 'POST', body }),
      invalidatesTags: (made) => (made ? ['Token'] : []),
    }),
    renameToken: b.mutation<ApiToken, { id: string; name: string }>({
      query: ({ id, name }) => ({ url: `/api/acc/tokens/${id}`, method: 'PATCH', body: { name } }),
      invalidatesTags: ['Token'],
    }),
    removeToken: b.mutation<null, string>({ query: (id) => ({ url: `/api/acc/tokens/${id}`, method: 'DELETE' }), invalidatesTags: ['Token'] }),
    sessions: b.query<SessionRow[], void>({ query: () => '/api/acc/token/sessions', providesTags: [{ type: 'Session', id: 'LIST' }] }),
    endSession: b.mutation<null, string>({
      query: (id) => ({ url: `/api/acc/token/sessions/${id}`, method: 'DELETE' }),
      invalidatesTags: [{ type: 'Session', id: 'LIST' }],
    }),
    signOutEverywhere: b.mutation<{ ended: number }, { keepCurrent: boolean }>({
      query: (body) => ({ url: '/api/acc/token/sign-out-everywhere', method: 'POST', body }),
      invalidatesTags: [{ type: 'Session', id: 'LIST' }],
    }),
    closeAccount: b.mutation<null, { confirm: string }>({ query: (body) => ({ url: '/api/acc/close', method: 'POST', body }) }),
  }),
});

export const {
  useSessionsQuery,
  useEndSessionMutation,
  useSignOutEverywhereMutation,
  useSignInsQuery,
  useTokensQuery,
  useAddTokenMutation,
  useRenameTokenMutation,
  useRemoveTokenMutation,
  useCloseAccountMutation,
} = centerApi;
