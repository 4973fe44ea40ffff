import { accountCalls } from '@contract/account/calls';
import { factorCalls } from '@contract/account/factorCalls';
import type { factorEndpoints } from '@contract/account/factors';
import type { accountEndpoints } from '@contract/account/schemas';
import { sessionCalls } from '@contract/session/calls';
import type { sessionEndpoints } from '@contract/session/schemas';
import { tokenCalls } from '@contract/tokens/calls';
import type { tokenEndpoints } from '@contract/tokens/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const account = typed<typeof accountEndpoints>(accountCalls);
const factors = typed<typeof factorEndpoints>(factorCalls);
const session = typed<Pick<typeof sessionEndpoints, keyof typeof sessionCalls>>(sessionCalls);
const tokens = typed<typeof tokenEndpoints>(tokenCalls);
const openSessions = [{ type: 'Session', id: 'LIST' }] as const;

/** Parts of the person's own account that only the account page uses. */
export const centerApi = api.injectEndpoints({
  endpoints: (b) => ({
    signIns: query(b, factors.signIns, { providesTags: ['SignIn'] }),
    tokens: query(b, tokens.tokens, { providesTags: ['Token'] }),
    addToken: mutation(b, tokens.addToken, { invalidatesTags: (created) => (created ? ['Token'] : []) }),
    renameToken: mutation(b, tokens.renameToken, { invalidatesTags: ['Token'] }),
    removeToken: mutation(b, tokens.removeToken, { invalidatesTags: ['Token'] }),
    sessions: query(b, session.sessions, { providesTags: openSessions }),
    endSession: mutation(b, session.endSession, { invalidatesTags: openSessions }),
    signOutEverywhere: mutation(b, session.signOutEverywhere, { invalidatesTags: openSessions }),
    closeAccount: mutation(b, account.closeAccount),
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
