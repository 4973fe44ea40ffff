import type { Contact, ContactChange, ContactInput } from '@contract/contacts/schemas';
import { api } from '@/store/api';

type Revised = { readonly id: string; readonly revision: number };
const health = [{ type: 'ContactHealth' as const }];

/** People to notify. Read from their slice only. What only their page asks for stands in `contactToolsApi`: this is in the first load. */
export const contactsApi = api.injectEndpoints({
  endpoints: (b) => ({
    contacts: b.query<Contact[], void>({ query: () => '/api/acc/contacts', providesTags: [{ type: 'Contact', id: 'LIST' }] }),
    contact: b.query<Contact, string>({ query: (id) => `/api/acc/contacts/${id}`, providesTags: (_contact, _error, id) => [{ type: 'Contact', id }] }),
    addContact: b.mutation<Contact, ContactInput>({ query: (body) => ({ url: '/api/acc/contacts', method: 'POST', body }), invalidatesTags: health }),
    replaceContact: b.mutation<Contact, Revised & { contact: ContactInput }>({
      query: ({ id, revision, contact }) => ({ url: `/api/acc/contacts/${id}`, method: 'PUT', body: contact, ifMatch: revision }),
      invalidatesTags: health,
    }),
    changeContact: b.mutation<Contact, Revised & { change: ContactChange }>({
      query: ({ id, revision, change }) => ({ url: `/api/acc/contacts/${id}`, method: 'PATCH', body: change, ifMatch: revision }),
      invalidatesTags: health,
    }),
    removeContact: b.mutation<null, string>({ query: (id) => ({ url: `/api/acc/contacts/${id}`, method: 'DELETE' }), invalidatesTags: health }),
    mergeContacts: b.mutation<Contact, Revised & { from: string }>({
      query: ({ id, revision, from }) => ({ url: `/api/acc/contacts/${id}/merge`, method: 'POST', body: { from }, ifMatch: revision }),
      invalidatesTags: health,
    }),
  }),
});

export const { useContactsQuery, useContactQuery, useAddContactMutation, useReplaceContactMutation, useChangeContactMutation, useMergeContactsMutation } =
  contactsApi;
