import { contactCalls } from '@contract/contacts/calls';
import type { contactEndpoints } from '@contract/contacts/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof contactEndpoints>(contactCalls);
const health = [{ type: 'ContactHealth' as const }];

/** People to notify. The list is read from its slice only; the page's tools (import, tests, health) are in `contactToolsApi`. */
export const contactsApi = api.injectEndpoints({
  endpoints: (b) => ({
    contacts: query(b, calls.contacts, { providesTags: [{ type: 'Contact', id: 'LIST' }] }),
    contact: query(b, calls.contact, { providesTags: (_contact, _error, { id }) => [{ type: 'Contact', id }] }),
    addContact: mutation(b, calls.addContact, { invalidatesTags: health }),
    replaceContact: mutation(b, calls.replaceContact, { invalidatesTags: health }),
    changeContact: mutation(b, calls.changeContact, { invalidatesTags: health }),
    removeContact: mutation(b, calls.removeContact, { invalidatesTags: health }),
    mergeContacts: mutation(b, calls.mergeContacts, { invalidatesTags: health }),
  }),
});

export const { useContactsQuery, useContactQuery, useAddContactMutation, useReplaceContactMutation, useChangeContactMutation, useMergeContactsMutation } =
  contactsApi;
