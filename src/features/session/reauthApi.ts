import { signCalls } from '@contract/session/signCalls';
import type { sessionEndpoints } from '@contract/session/schemas';
import { api } from '@/store/api';
import { mutation, typed } from '@/store/endpoints';

const calls = typed<Pick<typeof sessionEndpoints, keyof typeof signCalls>>(signCalls);

/** Proof of identity. Loads with its dialog. */
export const reauthApi = api.injectEndpoints({
  endpoints: (b) => ({
    reauth: mutation(b, calls.reauth),
    reauthPasskeyOptions: mutation(b, calls.reauthPasskeyOptions),
    reauthPasskey: mutation(b, calls.reauthPasskey),
  }),
});

export const { useReauthMutation, useReauthPasskeyOptionsMutation, useReauthPasskeyMutation } = reauthApi;
