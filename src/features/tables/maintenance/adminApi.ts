import { pathOf } from '@contract/call';
import type { tableAccessEndpoints } from '@contract/tables/access';
import { tableAccessCalls, tableIndexCalls } from '@contract/tables/calls';
import type { tableIndexEndpoints } from '@contract/tables/indexes';
import { mutation, pages, query, typed } from '@/store/endpoints';
import type { ApiFailure } from '@/lib/failure';
import { designApi } from '@/features/tables/parts/designApi';
import type { OfSite } from '@/store/endpoints';
import type { OpenApi } from './openApi';

const calls = typed<typeof tableAccessEndpoints>(tableAccessCalls);
const { tableAdvice } = typed<typeof tableIndexEndpoints>(tableIndexCalls);
/** Definitions and rules share a revision: changing either invalidates both. */
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Design' as const, id: siteId }];

/** Calls used only by the administration screen. */
export const adminApi = designApi.injectEndpoints({
  endpoints: (b) => ({
    tableRules: query(b, calls.tableRules, { providesTags: ofSite }),
    setTableRules: mutation(b, calls.setTableRules, {
      // Puts the saved rules on screen before they are refetched.
      onQueryStarted: async ({ siteId, table }, { dispatch, queryFulfilled }) => {
        const result = await queryFulfilled.catch(() => null);
        if (result) dispatch(adminApi.util.updateQueryData('tableRules', { siteId, table }, () => result.data));
      },
      invalidatesTags: (result, failure, of) => (failure ? [] : [{ type: 'Table', id: of.siteId }, ...ofSite(result, failure, of)]),
    }),
    previewRules: query(b, calls.previewRules, {
      providesTags: (result, failure, of) => [{ type: 'Records', id: of.table }, ...ofSite(result, failure, of)],
    }),
    tableAdvice: query(b, tableAdvice, {
      providesTags: (result, failure, of) => [{ type: 'Advice', id: of.table }, ...ofSite(result, failure, of)],
      keepUnusedDataFor: 5,
    }),
    tableAudit: pages(b, calls.tableAudit, { providesTags: ofSite, keepUnusedDataFor: 0 }),
    /** A file, so without the usual response envelope. */
    siteOpenApi: b.query<OpenApi, OfSite>({
      queryFn: async ({ siteId }, { signal }) => {
        const url = pathOf(calls.siteOpenApi, { siteId });
        const base = { method: 'GET', url } as const;
        try {
          const result = await fetch(location.origin + url, { signal });
          if (result.ok) return { data: (await result.json()) as OpenApi };
          const failure: ApiFailure = { ...base, kind: 'http', status: result.status, message: result.statusText };
          return { error: failure };
        } catch {
          const failure: ApiFailure = { ...base, kind: 'network', status: 0, message: '' };
          return { error: failure };
        }
      },
      providesTags: ofSite,
      keepUnusedDataFor: 30,
    }),
  }),
});

export const { useTableRulesQuery, useSetTableRulesMutation, usePreviewRulesQuery, useTableAdviceQuery, useTableAuditInfiniteQuery, useSiteOpenApiQuery } =
  adminApi;
