import { publicationCalls, recordCalls, recordCommentCalls, tableCalls, viewCalls } from '@contract/tables/calls';
import type { tableEndpoints } from '@contract/tables/endpoints';
import type { publicationEndpoints } from '@contract/tables/publications';
import type { recordEndpoints } from '@contract/tables/recordEndpoints';
import type { UndoResult, Written } from '@contract/tables/records';
import type { viewEndpoints } from '@contract/tables/views';
import { api } from '@/store/api';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, OfSite, ResultOf, TypedCall } from '@/store/endpoints';

/** A table of a site, by id, key or alias. */
export type OfTable = OfSite & { readonly table: string };
type Endpoints = typeof recordEndpoints;
type Params<K extends keyof Endpoints> = Omit<ArgumentsOf<Endpoints[K]>, 'names'>;
type Result<K extends keyof Endpoints> = ResultOf<Endpoints[K]>;

const { tables, addTable } = typed<typeof tableEndpoints>(tableCalls);
const views = typed<typeof viewEndpoints>(viewCalls);
const calls = typed<typeof recordEndpoints>({ ...recordCalls, ...recordCommentCalls });
const publications = typed<typeof publicationEndpoints>(publicationCalls);

/** The console always identifies fields by id. */
const byId =
  <A>(call: TypedCall<A, unknown>) =>
  (args: Omit<A, 'names'>) =>
    requestOf(call, { ...args, names: 'id' } as unknown as A);
const ofTables = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Table' as const, id: siteId }];
const ofViews = (_result: unknown, _failure: unknown, { table }: OfTable) => [{ type: 'TableView' as const, id: table }];
/** Tags of everything that is counted or listed from the table's records. */
const ofRecords = (_result: unknown, _failure: unknown, { table = '' }: { readonly table?: string | undefined }) => [{ type: 'Records' as const, id: table }];
const touched = (result: unknown, failure: unknown, of: OfTable) => (failure ? [] : ofRecords(result, failure, of));
const written = { invalidatesTags: touched };
/** A dry run writes nothing. */
const tried = (result: unknown, failure: unknown, of: OfTable & { readonly body: { readonly dryRun?: boolean | undefined } }) =>
  of.body.dryRun === true ? [] : touched(result, failure, of);

/** Calls for content tables: definitions, records, views. Loaded with the screens that use them, not on first load. */
export const tablesApi = api.enhanceEndpoints({ addTagTypes: ['Table', 'TableView', 'Records'] }).injectEndpoints({
  endpoints: (b) => ({
    tables: query(b, tables, { providesTags: ofTables }),
    addTable: mutation(b, addTable, { invalidatesTags: (result, failure, of) => (failure ? [] : ofTables(result, failure, of)) }),

    views: query(b, views.views, { providesTags: ofViews }),
    addView: mutation(b, views.addView, { invalidatesTags: ofViews }),
    changeView: mutation(b, views.changeView, { invalidatesTags: ofViews }),
    removeView: mutation(b, views.removeView, { invalidatesTags: ofViews }),
    restoreView: mutation(b, views.restoreView, { invalidatesTags: ofViews }),

    /**
     * Pages of the grid, which has its own cache: nothing is cached here. A different `turn` makes a separate call, even while the previous one is being
     * aborted.
     */
    recordPage: b.query<Result<'records'>, Params<'records'> & { readonly turn?: number }>({
      query: ({ turn: _turn, ...params }) => byId(calls.records)(params),
      keepUnusedDataFor: 0,
    }),
    /** Records of a screen that shows all its records at once (cards, days, choices of a relation). */
    records: b.query<Result<'records'>, Params<'records'>>({ query: byId(calls.records), providesTags: ofRecords, keepUnusedDataFor: 30 }),
    record: b.query<Result<'record'>, Params<'record'>>({ query: byId(calls.record), providesTags: ofRecords }),
    recordPosition: query(b, calls.recordPosition, { keepUnusedDataFor: 0 }),
    aggregate: b.query<Result<'aggregate'>, Params<'aggregate'>>({ query: byId(calls.aggregate), providesTags: ofRecords, keepUnusedDataFor: 30 }),

    addRecords: mutation(b, calls.addRecords, written),
    changeRecords: mutation(b, calls.changeRecords, written),
    bulkChange: mutation(b, calls.bulkChange, { invalidatesTags: tried }),
    trashRecords: mutation(b, calls.trashRecords, written),
    restoreRecords: mutation(b, calls.restoreRecords, written),
    purgeRecords: mutation(b, calls.purgeRecords, written),
    publishRecords: mutation(b, calls.publishRecords, written),
    unpublishRecords: mutation(b, calls.unpublishRecords, written),
    moveRecords: mutation(b, calls.moveRecords, written),
    duplicateRecords: mutation(b, calls.duplicateRecords, written),
    pasteRecords: mutation(b, calls.pasteRecords, { invalidatesTags: tried }),

    batches: query(b, calls.batches, { providesTags: ofRecords, keepUnusedDataFor: 0 }),
    // These calls do not name the table; `table` says whose records to invalidate.
    undoBatch: b.mutation<UndoResult, OfTable & { readonly batch: string }>({
      query: ({ siteId, batch }) => requestOf(calls.undoBatch, { siteId, batch }),
      ...written,
    }),
    redoBatch: b.mutation<UndoResult, OfTable & { readonly batch: string }>({
      query: ({ siteId, batch }) => requestOf(calls.redoBatch, { siteId, batch }),
      ...written,
    }),
    retryPublication: b.mutation<Written, OfTable & { readonly failure: string }>({
      query: ({ siteId, failure }) => requestOf(publications.retryPublication, { siteId, failure }),
      ...written,
    }),
    discardPublication: b.mutation<null, OfTable & { readonly failure: string }>({
      query: ({ siteId, failure }) => requestOf(publications.discardPublication, { siteId, failure }),
      ...written,
    }),
    publicationFailures: query(b, publications.publicationFailures, { providesTags: ofRecords }),
    /** People that person fields may reference. */
    tablePeople: query(b, calls.tablePeople, { keepUnusedDataFor: 30 }),
    present: mutation(b, calls.present),
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
