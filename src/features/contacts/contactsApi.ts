import type { Contact, ContactChange, ContactChannel, ContactInput, ImportedContact } from '@contract/contacts';
import type { ContactTopic } from '@contract/contacts';
import { api } from '@/store/api';

type Revised = { readonly id: string; readonly revision: number };
/** What the screen has to say of the whole list. */
export type ContactHealth = { readonly mail: boolean; readonly unheard: ContactTopic[]; readonly waiting: number; readonly failed: number };
export type VerifyLink = { readonly url: string | null; readonly mailed: boolean; readonly expiresAt: string };
/** What came of a test message, and what the other side answered. */
export type Trial = { readonly delivered: boolean; readonly detail: string };
export type ImportFile = { readonly format: 'csv' | 'vcard'; readonly text: string };
export type Imported = { readonly rows: ImportedContact[]; readonly added: number };

const health = [{ type: 'ContactHealth' as const }];

/** People to notify. Read from their slice only. */
export const contactsApi = api.injectEndpoints({
  endpoints: (b) => ({
    contacts: b.query<Contact[], void>({ query: () => '/api/acc/contacts', providesTags: [{ type: 'Contact', id: 'LIST' }] }),
    contact: b.query<Contact, string>({ query: (id) => `/api/acc/contacts/${id}`, providesTags: (_contact, _error, id) => [{ type: 'Contact', id }] }),
    contactHealth: b.query<ContactHealth, void>({ query: () => '/api/acc/contact-health', providesTags: health }),
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
    verifyContact: b.mutation<VerifyLink, string>({ query: (id) => ({ url: `/api/acc/contacts/${id}/verify`, method: 'POST' }) }),
    testContact: b.mutation<Trial, { id: string; channel: ContactChannel }>({
      query: ({ id, channel }) => ({ url: `/api/acc/contacts/${id}/test`, method: 'POST', body: { channel } }),
    }),
    importContacts: b.mutation<Imported, ImportFile & { dryRun: boolean }>({
      query: (body) => ({ url: '/api/acc/contacts-import', method: 'POST', body }),
      invalidatesTags: (_imported, _error, { dryRun }) => (dryRun ? [] : [{ type: 'Contact', id: 'LIST' }, ...health]),
    }),
  }),
});

export const {
  useContactsQuery,
  useContactQuery,
  useContactHealthQuery,
  useAddContactMutation,
  useReplaceContactMutation,
  useChangeContactMutation,
  useMergeContactsMutation,
  useVerifyContactMutation,
  useTestContactMutation,
  useImportContactsMutation,
} = contactsApi;
