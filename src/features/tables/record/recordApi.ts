import { recordCalls, recordCommentCalls } from '@contract/tables/calls';
import type { recordEndpoints } from '@contract/tables/recordEndpoints';
import { mutation, query, typed } from '@/store/endpoints';
import { tablesApi } from '../tablesApi';
import type { OfTable } from '../tablesApi';

export type OfRecord = OfTable & { readonly id: string };
const calls = typed<typeof recordEndpoints>({ ...recordCalls, ...recordCommentCalls });
const ofRecord = (_result: unknown, _failure: unknown, { table }: OfTable) => [{ type: 'Records' as const, id: table }];
const ofComments = (_result: unknown, failure: unknown, { id }: OfRecord) => (failure ? [] : [{ type: 'RecordComments' as const, id }]);

/** Calls for one record: history, incoming links, comments. */
export const recordApi = tablesApi.enhanceEndpoints({ addTagTypes: ['RecordComments'] }).injectEndpoints({
  endpoints: (b) => ({
    recordHistory: query(b, calls.recordHistory, { providesTags: ofRecord, keepUnusedDataFor: 0 }),
    revertRecord: mutation(b, calls.revertRecord, { invalidatesTags: (result, failure, of) => (failure ? [] : ofRecord(result, failure, of)) }),
    recordLinks: query(b, calls.recordLinks, { providesTags: ofRecord, keepUnusedDataFor: 0 }),
    recordReaders: query(b, calls.recordReaders, { keepUnusedDataFor: 30 }),
    comments: query(b, calls.comments, {
      providesTags: (result, failure, of) => [{ type: 'RecordComments', id: of.id }, ...ofRecord(result, failure, of)],
    }),
    addComment: mutation(b, calls.addComment, { invalidatesTags: ofComments }),
    // A change refused because of a conflict also refetches the comments.
    changeComment: mutation(b, calls.changeComment, { invalidatesTags: (result, _failure, of) => ofComments(result, undefined, of) }),
    removeComment: mutation(b, calls.removeComment, { invalidatesTags: ofComments }),
    restoreComment: mutation(b, calls.restoreComment, { invalidatesTags: ofComments }),
  }),
});
export const {
  useRecordHistoryQuery,
  useRevertRecordMutation,
  useRecordLinksQuery,
  useRecordReadersQuery,
  useCommentsQuery,
  useAddCommentMutation,
  useChangeCommentMutation,
  useRemoveCommentMutation,
} = recordApi;
