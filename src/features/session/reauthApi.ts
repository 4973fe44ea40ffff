import { api } from '@/store/api';

type Json = Readonly<Record<string, unknown>>;

/** Proving who one is. Comes with the dialog that asks. */
export const reauthApi = api.injectEndpoints({
  endpoints: (b) => ({
    reauth: b.mutation<null, { password: string }>({ query: (body) => ({ url: '/api/acc/sign/reauth', method: 'POST', body }) }),
    reauthPasskeyOptions: b.mutation<{ challengeId: string; options: Json }, void>({
      query: () => ({ url: '/api/acc/sign/reauth/passkey/options', method: 'POST', body: {} }),
    }),
    reauthPasskey: b.mutation<null, { challengeId: string; response: Json }>({
      query: (body) => ({ url: '/api/acc/sign/reauth/passkey/verify', method: 'POST', body }),
    }),
  }),
});

export const { useReauthMutation, useReauthPasskeyOptionsMutation, useReauthPasskeyMutation } = reauthApi;
