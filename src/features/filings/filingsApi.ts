import { filingCalls } from '@contract/filings/calls';
import type { filingEndpoints } from '@contract/filings/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof filingEndpoints>(filingCalls);
const changes = { invalidatesTags: ['Filings' as const] };

/** Filings of a site, and the subjects that all sites share; used by their page only. */
export const filingsApi = api.enhanceEndpoints({ addTagTypes: ['Filings', 'FilingSubjects'] }).injectEndpoints({
  endpoints: (b) => ({
    filings: query(b, calls.filings, { providesTags: ['Filings'] }),
    addFiling: mutation(b, calls.addFiling, changes),
    changeFiling: mutation(b, calls.changeFiling, changes),
    removeFiling: mutation(b, calls.removeFiling, changes),
    restoreFiling: mutation(b, calls.restoreFiling, changes),
    moveFiling: mutation(b, calls.moveFiling, changes),
    filingPeople: query(b, calls.filingPeople, { keepUnusedDataFor: 0 }),
    changeFilingPeople: mutation(b, calls.changeFilingPeople, changes),
    filingChecklist: query(b, calls.filingChecklist, { providesTags: ['Filings'] }),
    changeFilingChecklist: mutation(b, calls.changeFilingChecklist, changes),
    attachFilingDocument: mutation(b, calls.attachFilingDocument, changes),
    detachFilingDocument: mutation(b, calls.detachFilingDocument, changes),
    filingEvents: query(b, calls.filingEvents, { providesTags: ['Filings'] }),
    findFilingNumbers: mutation(b, calls.findFilingNumbers),
    filingSnippet: query(b, calls.filingSnippet, { providesTags: ['Filings'] }),
    checkFilingFooter: mutation(b, calls.checkFilingFooter, changes),
    filingSubjects: query(b, calls.filingSubjects, { providesTags: ['FilingSubjects'] }),
    addFilingSubject: mutation(b, calls.addFilingSubject, { invalidatesTags: ['FilingSubjects'] }),
    changeFilingSubject: mutation(b, calls.changeFilingSubject, { invalidatesTags: ['FilingSubjects', 'Filings'] }),
    removeFilingSubject: mutation(b, calls.removeFilingSubject, { invalidatesTags: ['FilingSubjects'] }),
  }),
});

export const {
  useFilingsQuery,
  useAddFilingMutation,
  useChangeFilingMutation,
  useRemoveFilingMutation,
  useMoveFilingMutation,
  useFilingPeopleQuery,
  useChangeFilingPeopleMutation,
  useFilingChecklistQuery,
  useChangeFilingChecklistMutation,
  useAttachFilingDocumentMutation,
  useDetachFilingDocumentMutation,
  useFilingEventsQuery,
  useFindFilingNumbersMutation,
  useFilingSnippetQuery,
  useCheckFilingFooterMutation,
  useFilingSubjectsQuery,
  useAddFilingSubjectMutation,
  useChangeFilingSubjectMutation,
  useRemoveFilingSubjectMutation,
} = filingsApi;
