import { contactCalls } from '@contract/contacts/calls';
import type { contactEndpoints } from '@contract/contacts/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof contactEndpoints>(contactCalls);
const health = [{ type: 'ContactHealth' as const }];

/** Calls of the contacts page other than editing; loads with that page. */
export const contactToolsApi = api.injectEndpoints({
  endpoints: (b) => ({
    contactHealth: query(b, calls.contactHealth, { providesTags: health }),
    verifyContact: mutation(b, calls.verifyContact),
    testContact: mutation(b, calls.testContact),
    importContacts: mutation(b, calls.importContacts, {
      invalidatesTags: (_imported, _error, { body }) => (body.dryRun ? [] : [{ type: 'Contact', id: 'LIST' }, ...health]),
    }),
  }),
});

export const { useContactHealthQuery, useVerifyContactMutation, useTestContactMutation, useImportContactsMutation } = contactToolsApi;
