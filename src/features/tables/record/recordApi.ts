import type { RecordChange, RecordComment } from '@contract/tables/records';
import { tablePath, tablesApi } from '../tablesApi';
import type { OfTable } from '../tablesApi';

export type OfRecord = OfTable & { readonly id: string };
export type RecordLink = {
  readonly tableId: string;
  readonly tableTitle: string;
  readonly fieldId: string;
  readonly fieldTitle: string;
  readonly recordId: string;
  readonly label: string;
};
const of = ({ siteId, table, id }: OfRecord, rest: string): string => tablePath(siteId, `/${table}/records/${id}${rest}`);
const ofRecord = (_answer: unknown, _failure: unknown, { table }: OfTable) => [{ type: 'Records' as const, id: table }];
const ofComments = (_answer: unknown, failure: unknown, { id }: OfRecord) => (failure ? [] : [{ type: 'RecordComments' as const, id }]);

/** What belongs to one record: its past, what points at it, what people say about it. */
const recordApi = tablesApi.enhanceEndpoints({ addTagTypes: ['RecordComments'] }).injectEndpoints({
  endpoints: (b) => ({
    recordHistory: b.query<RecordChange[], OfRecord & { before?: number | undefined }>({
      query: ({ before, ...args }) => ({ url: of(args, '/history'), params: { before } }),
      providesTags: ofRecord,
      keepUnusedDataFor: 0,
    }),
    revertRecord: b.mutation<unknown, OfRecord & { body: { revision: number; fields: string[] } }>({
      query: ({ body, ...args }) => ({ url: of(args, '/revert'), method: 'POST', body }),
      invalidatesTags: (answer, failure, args) => (failure ? [] : ofRecord(answer, failure, args)),
    }),
    recordLinks: b.query<RecordLink[], OfRecord>({ query: (args) => ({ url: of(args, '/links') }), providesTags: ofRecord, keepUnusedDataFor: 0 }),
    comments: b.query<RecordComment[], OfRecord>({
      query: (args) => ({ url: of(args, '/comments') }),
      providesTags: (_answer, _failure, { id, table }) => [
        { type: 'RecordComments', id },
        { type: 'Records', id: table },
      ],
    }),
    addComment: b.mutation<RecordComment, OfRecord & { text: string }>({
      query: ({ text, ...args }) => ({ url: of(args, '/comments'), method: 'POST', body: { text } }),
      invalidatesTags: ofComments,
    }),
    changeComment: b.mutation<RecordComment, OfRecord & { comment: string; body: { text: string } | { resolved: boolean }; revision?: number }>({
      query: ({ comment, body, revision, ...args }) => ({
        url: of(args, `/comments/${comment}`),
        method: 'PATCH',
        body,
        ...(revision === undefined ? {} : { ifMatch: revision }),
      }),
      // What was refused because it was changed elsewhere is read again, too.
      invalidatesTags: (answer, _failure, args) => ofComments(answer, undefined, args),
    }),
    removeComment: b.mutation<null, OfRecord & { comment: string }>({
      query: ({ comment, ...args }) => ({ url: of(args, `/comments/${comment}`), method: 'DELETE' }),
      invalidatesTags: ofComments,
    }),
  }),
});
export const {
  useRecordHistoryQuery,
  useRevertRecordMutation,
  useRecordLinksQuery,
  useCommentsQuery,
  useAddCommentMutation,
  useChangeCommentMutation,
  useRemoveCommentMutation,
} = recordApi;
