import type { Passkey, Security } from '@contract/account/factors';
import { api } from '@/store/api';

type Json = Readonly<Record<string, unknown>>;
export type EmailLink = { readonly url: string; readonly expiresAt: string };
/** Recovery codes come with the first factor, once. */
type WithCodes = { readonly recoveryCodes: readonly string[] | null };
const changed = (_result: unknown, error: unknown) => (error === undefined ? (['Security'] as const) : []);

/** How the own account is protected, and the ways to change that. Comes with the first screen that needs it. */
export const securityApi = api.injectEndpoints({
  endpoints: (b) => ({
    security: b.query<Security, void>({ query: () => '/api/acc/security', providesTags: ['Security'] }),
    changePassword: b.mutation<null, { current: string; next: string }>({
      query: (body) => ({ url: '/api/acc/sign/password', method: 'POST', body }),
      invalidatesTags: (_done, error) => (error === undefined ? ['Security', { type: 'Session', id: 'LIST' }] : []),
    }),
    beginTotp: b.mutation<{ secret: string; uri: string; qr: string }, void>({ query: () => ({ url: '/api/acc/totp/begin', method: 'POST', body: {} }) }),
    confirmTotp: b.mutation<WithCodes, { code: string }>({
      query: (body) => ({ url: '/api/acc/totp/confirm', method: 'POST', body }),
      invalidatesTags: changed,
    }),
    removeTotp: b.mutation<null, void>({ query: () => ({ url: '/api/acc/totp', method: 'DELETE' }), invalidatesTags: changed }),
    passkeyOptions: b.mutation<{ challengeId: string; options: Json }, void>({
      query: () => ({ url: '/api/acc/passkeys/options', method: 'POST', body: {} }),
    }),
    addPasskey: b.mutation<WithCodes & { passkey: Passkey }, { challengeId: string; response: Json; name: string }>({
      query: (body) => ({ url: '/api/acc/passkeys', method: 'POST', body }),
      invalidatesTags: changed,
    }),
    renamePasskey: b.mutation<Passkey, { id: string; name: string }>({
      query: ({ id, name }) => ({ url: `/api/acc/passkeys/${id}`, method: 'PATCH', body: { name } }),
      invalidatesTags: ['Security'],
    }),
    removePasskey: b.mutation<null, string>({ query: (id) => ({ url: `/api/acc/passkeys/${id}`, method: 'DELETE' }), invalidatesTags: ['Security'] }),
    newRecoveryCodes: b.mutation<string[], void>({
      query: () => ({ url: '/api/acc/recovery-codes', method: 'POST', body: {} }),
      invalidatesTags: changed,
    }),
    /** Confirms one's own waiting address; owners alone may make one. */
    ownEmailLink: b.mutation<EmailLink, string>({ query: (id) => ({ url: `/api/acc/users/${id}/link`, method: 'POST', body: { kind: 'email' } }) }),
    askForEmail: b.mutation<{ mailed: boolean }, { email: string }>({
      query: (body) => ({ url: '/api/acc/email', method: 'POST', body }),
      invalidatesTags: changed,
    }),
    removeEmail: b.mutation<null, { pending: boolean }>({
      query: ({ pending }) => ({ url: '/api/acc/email', method: 'DELETE', params: { pending: pending ? 'true' : undefined } }),
      invalidatesTags: (_result, error) => (error === undefined ? ['Security', 'User'] : []),
    }),
  }),
});

export const {
  useOwnEmailLinkMutation,
  useSecurityQuery,
  useChangePasswordMutation,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  usePasskeyOptionsMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
  useNewRecoveryCodesMutation,
  useAskForEmailMutation,
  useRemoveEmailMutation,
} = securityApi;
