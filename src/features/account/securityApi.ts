import { accountCalls } from '@contract/account/calls';
import { factorCalls } from '@contract/account/factorCalls';
import type { factorEndpoints } from '@contract/account/factors';
import type { accountEndpoints } from '@contract/account/schemas';
import { peopleCalls } from '@contract/people/calls';
import type { peopleEndpoints } from '@contract/people/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const account = typed<typeof accountEndpoints>(accountCalls);
const factors = typed<typeof factorEndpoints>(factorCalls);
const people = typed<typeof peopleEndpoints>(peopleCalls);
const changed = (_result: unknown, error: unknown) => (error === undefined ? (['Security'] as const) : []);

/** The protection of the person's account, and the calls that change it. Loads with the first screen that needs it. */
export const securityApi = api.injectEndpoints({
  endpoints: (b) => ({
    security: query(b, factors.security, { providesTags: ['Security'] }),
    changePassword: mutation(b, account.changePassword, {
      invalidatesTags: (_done, error) => (error === undefined ? ['Security', { type: 'Session', id: 'LIST' }] : []),
    }),
    beginTotp: mutation(b, factors.beginTotp),
    confirmTotp: mutation(b, factors.confirmTotp, { invalidatesTags: changed }),
    removeTotp: mutation(b, factors.removeTotp, { invalidatesTags: changed }),
    passkeyOptions: mutation(b, factors.passkeyOptions),
    addPasskey: mutation(b, factors.addPasskey, { invalidatesTags: changed }),
    renamePasskey: mutation(b, factors.renamePasskey, { invalidatesTags: ['Security'] }),
    removePasskey: mutation(b, factors.removePasskey, { invalidatesTags: ['Security'] }),
    newRecoveryCodes: mutation(b, factors.newRecoveryCodes, { invalidatesTags: changed }),
    /** Confirms the person's own pending address; only owners may create this link. */
    ownEmailLink: mutation(b, people.personLink),
    askForEmail: mutation(b, account.email, { invalidatesTags: changed }),
    removeEmail: mutation(b, account.removeEmail, {
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
