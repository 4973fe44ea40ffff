import type { z } from 'zod';
import type { PublicationFailure } from '@contract/tables/publications';
import type {
  AggregateAnswer,
  AggregateQuery,
  Batch,
  ContentRecord,
  RecordLabels,
  RecordPage,
  RecordQuery,
  RestoreAnswer,
  Written,
} from '@contract/tables/records';
import type { recordEndpoints } from '@contract/tables/recordEndpoints';
import type { RecordView, ViewInput } from '@contract/tables/views';
import type { ContentTable, TableInput } from '@contract/tables/schemas';
import type { QueryParams } from '@/lib/queryString';
import { api } from '@/store/api';

/** A table of a site, by id, key or old key. */
export type OfTable = { readonly siteId: string; readonly table: string };
type Body<K extends keyof typeof recordEndpoints> = (typeof recordEndpoints)[K] extends { readonly body?: infer B extends z.ZodType } ? z.input<B> : never;
type Answer<K extends keyof typeof recordEndpoints> = (typeof recordEndpoints)[K] extends { readonly answer?: infer A extends z.ZodType } ? z.output<A> : never;
type Write<K extends keyof typeof recordEndpoints> = OfTable & { readonly body: Body<K> };

export const tablePath = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/tables${rest}`;
const of = ({ siteId, table }: OfTable, rest: string): string => tablePath(siteId, `/${table}${rest}`);
/** Filters, sorts and ids stand in the address of a call; a page of a console names fields by id always. */
const asked =
  (rest: string) =>
  ({ siteId, table, turn: _turn, ...params }: OfTable & { readonly turn?: number }) => ({
    url: of({ siteId, table }, rest),
    params: { ...params, names: 'id' } as QueryParams,
  });
const write =
  (rest: string, method: 'POST' | 'PATCH' = 'POST') =>
  ({ siteId, table, body }: OfTable & { readonly body: unknown }) => ({ url: of({ siteId, table }, rest), method, body });
const ofViews = (_answer: unknown, _failure: unknown, { table }: OfTable) => [{ type: 'TableView' as const, id: table }];
/** Everything that is counted or listed from records of the table. */
const touched = (_answer: unknown, failure: unknown, { table }: OfTable) => (failure ? [] : [{ type: 'Records' as const, id: table }]);

/** Content tables: definitions, records, views. Comes with the screens that ask; nothing of it is in the first load. */
export const tablesApi = api.enhanceEndpoints({ addTagTypes: ['Table', 'TableView', 'Records'] }).injectEndpoints({
  endpoints: (b) => ({
    tables: b.query<ContentTable[], string>({
      query: (siteId) => ({ url: tablePath(siteId) }),
      providesTags: (_answer, _failure, siteId) => [{ type: 'Table', id: siteId }],
    }),
    addTable: b.mutation<ContentTable, { siteId: string; body: TableInput }>({
      query: ({ siteId, body }) => ({ url: tablePath(siteId), method: 'POST', body }),
      invalidatesTags: (_answer, failure, { siteId }) => (failure ? [] : [{ type: 'Table', id: siteId }]),
    }),

    views: b.query<RecordView[], OfTable>({ query: (args) => ({ url: of(args, '/views') }), providesTags: ofViews }),
    addView: b.mutation<RecordView, OfTable & { body: z.input<typeof ViewInput> }>({ query: write('/views'), invalidatesTags: ofViews }),
    changeView: b.mutation<RecordView, OfTable & { id: string; revision: number; body: Partial<z.input<typeof ViewInput>> & { position?: number } }>({
      query: ({ id, revision, body, ...args }) => ({ url: of(args, `/views/${id}`), method: 'PATCH', body, ifMatch: revision }),
      invalidatesTags: ofViews,
    }),
    removeView: b.mutation<null, OfTable & { id: string }>({
      query: ({ id, ...args }) => ({ url: of(args, `/views/${id}`), method: 'DELETE' }),
      invalidatesTags: ofViews,
    }),

    /** Pages of the grid, which keeps its own few: nothing is remembered here. Another `turn` is another call, also while the one before is being given up. */
    recordPage: b.query<RecordPage, OfTable & RecordQuery & { readonly turn?: number }>({ query: asked('/records'), keepUnusedDataFor: 0 }),
    /** Records of a screen that shows all of its own at once (cards, days, choices of a relation). */
    records: b.query<RecordPage, OfTable & RecordQuery>({
      query: asked('/records'),
      providesTags: (_answer, _failure, { table }) => [{ type: 'Records', id: table }],
      keepUnusedDataFor: 30,
    }),
    record: b.query<ContentRecord & { labels: RecordLabels }, OfTable & { id: string; locale?: string | undefined }>({
      query: ({ id, siteId, table, locale }) => ({ url: of({ siteId, table }, `/records/${id}`), params: { names: 'id', locale } }),
      providesTags: (_answer, _failure, { table }) => [{ type: 'Records', id: table }],
    }),
    recordPosition: b.query<Answer<'recordPosition'>, OfTable & { id: string } & Pick<RecordQuery, 'filter' | 'q' | 'sort' | 'locale' | 'trash'>>({
      query: ({ siteId, table, id, ...params }) => ({ url: of({ siteId, table }, `/records/${id}/position`), params }),
      keepUnusedDataFor: 0,
    }),
    aggregate: b.query<AggregateAnswer, OfTable & z.input<typeof AggregateQuery>>({
      query: asked('/aggregate'),
      providesTags: (_answer, _failure, { table }) => [{ type: 'Records', id: table }],
      keepUnusedDataFor: 30,
    }),

    addRecords: b.mutation<Written, Write<'addRecords'>>({ query: write('/records'), invalidatesTags: touched }),
    changeRecords: b.mutation<Written, Write<'changeRecords'>>({ query: write('/records', 'PATCH'), invalidatesTags: touched }),
    bulkChange: b.mutation<Answer<'bulkChange'>, Write<'bulkChange'>>({
      query: write('/records/bulk'),
      invalidatesTags: (answer, failure, args) => (args.body.dryRun === true ? [] : touched(answer, failure, args)),
    }),
    trashRecords: b.mutation<Written, Write<'trashRecords'>>({ query: write('/records/trash'), invalidatesTags: touched }),
    restoreRecords: b.mutation<RestoreAnswer, Write<'restoreRecords'>>({ query: write('/records/restore'), invalidatesTags: touched }),
    purgeRecords: b.mutation<{ purged: number }, Write<'purgeRecords'>>({ query: write('/records/purge'), invalidatesTags: touched }),
    publishRecords: b.mutation<Written, Write<'publishRecords'>>({ query: write('/records/publish'), invalidatesTags: touched }),
    unpublishRecords: b.mutation<Written, Write<'unpublishRecords'>>({ query: write('/records/unpublish'), invalidatesTags: touched }),
    moveRecords: b.mutation<Written, Write<'moveRecords'>>({ query: write('/records/move'), invalidatesTags: touched }),
    duplicateRecords: b.mutation<Written, Write<'duplicateRecords'>>({ query: write('/records/duplicate'), invalidatesTags: touched }),
    pasteRecords: b.mutation<Answer<'pasteRecords'>, Write<'pasteRecords'>>({
      query: write('/records/paste'),
      invalidatesTags: (answer, failure, args) => (args.body.dryRun === true ? [] : touched(answer, failure, args)),
    }),

    batches: b.query<Batch[], OfTable>({
      query: ({ siteId, table }) => ({ url: `/api/site/${siteId}/table/batches`, params: { table } }),
      providesTags: (_answer, _failure, { table }) => [{ type: 'Records', id: table }],
      keepUnusedDataFor: 0,
    }),
    undoBatch: b.mutation<Answer<'undoBatch'>, OfTable & { batch: string }>({
      query: ({ siteId, batch }) => ({ url: `/api/site/${siteId}/table/batches/${batch}/undo`, method: 'POST' }),
      invalidatesTags: touched,
    }),
    redoBatch: b.mutation<Answer<'redoBatch'>, OfTable & { batch: string }>({
      query: ({ siteId, batch }) => ({ url: `/api/site/${siteId}/table/batches/${batch}/redo`, method: 'POST' }),
      invalidatesTags: touched,
    }),
    publicationFailures: b.query<PublicationFailure[], OfTable>({
      query: ({ siteId, table }) => ({ url: `/api/site/${siteId}/table/publication-failures`, params: { table } }),
      providesTags: (_answer, _failure, { table }) => [{ type: 'Records', id: table }],
    }),
    retryPublication: b.mutation<Written, OfTable & { failure: string }>({
      query: ({ siteId, failure }) => ({ url: `/api/site/${siteId}/table/publication-failures/${failure}/retry`, method: 'POST' }),
      invalidatesTags: touched,
    }),
    discardPublication: b.mutation<null, OfTable & { failure: string }>({
      query: ({ siteId, failure }) => ({ url: `/api/site/${siteId}/table/publication-failures/${failure}`, method: 'DELETE' }),
      invalidatesTags: touched,
    }),
    /** Whom fields of people may name. */
    tablePeople: b.query<Answer<'tablePeople'>, { siteId: string; q?: string }>({
      query: ({ siteId, q }) => ({ url: `/api/site/${siteId}/table/people`, params: { q } }),
      keepUnusedDataFor: 30,
    }),
    present: b.mutation<null, OfTable & { body: { recordId: string | null; fieldId: string | null } }>({ query: write('/presence') }),
  }),
});

export const {
  useTablesQuery,
  useAddTableMutation,
  useViewsQuery,
  useAddViewMutation,
  useChangeViewMutation,
  useRemoveViewMutation,
  useRecordQuery,
  useRecordsQuery,
  useAggregateQuery,
  useBulkChangeMutation,
  useBatchesQuery,
  useTablePeopleQuery,
  usePublicationFailuresQuery,
  useRetryPublicationMutation,
  useDiscardPublicationMutation,
} = tablesApi;
