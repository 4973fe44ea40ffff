import type { ContactChannel, ContactTopic, ImportedContact } from '@contract/contacts/schemas';
import { api } from '@/store/api';

/** What the screen has to say of the whole list. */
export type ContactHealth = { readonly mail: boolean; readonly unheard: ContactTopic[]; readonly waiting: number; readonly failed: number };
export type VerifyLink = { readonly url: string | null; readonly mailed: boolean; readonly expiresAt: string };
/** What came of a test message, and what the other side answered. */
export type Trial = { readonly delivered: boolean; readonly detail: string };
export type ImportFile = { readonly format: 'csv' | 'vcard'; readonly text: string };
export type Imported = { readonly rows: ImportedContact[]; readonly added: number };

const health = [{ type: 'ContactHealth' as const }];

/** What the page of contacts does besides keeping them; comes with that page. */
export const contactToolsApi = api.injectEndpoints({
  endpoints: (b) => ({
    contactHealth: b.query<ContactHealth, void>({ query: () => '/api/acc/contact-health', providesTags: health }),
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

export const { useContactHealthQuery, useVerifyContactMutation, useTestContactMutation, useImportContactsMutation } = contactToolsApi;
