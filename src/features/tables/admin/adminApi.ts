import { pathOf } from '@contract/call';
import type { tableAccessEndpoints } from '@contract/tables/access';
import { tableAccessCalls, tableIndexCalls } from '@contract/tables/calls';
import type { tableIndexEndpoints } from '@contract/tables/indexes';
import { mutation, pages, query, typed } from '@/store/endpoints';
import type { ApiFailure } from '@/store/failure';
import { designApi } from '../parts/designApi';
import type { OfSite } from '../tablesApi';
import type { OpenApi } from './operations';

const calls = typed<typeof tableAccessEndpoints>(tableAccessCalls);
const { tableAdvice } = typed<typeof tableIndexEndpoints>(tableIndexCalls);
/** Definitions and rules are one revision: what changes either makes old what was read of both. */
const ofSite = (_answer: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Design' as const, id: siteId }];

/** What only the screen of administration asks. */
export const adminApi = designApi.injectEndpoints({
  endpoints: (b) => ({
    tableRules: query(b, calls.tableRules, { providesTags: ofSite }),
    setTableRules: mutation(b, calls.setTableRules, {
      // What was saved is on the screen before it is asked for again.
      onQueryStarted: async ({ siteId, table }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (answer) dispatch(adminApi.util.updateQueryData('tableRules', { siteId, table }, () => answer.data));
      },
      invalidatesTags: (answer, failure, of) => (failure ? [] : [{ type: 'Table', id: of.siteId }, ...ofSite(answer, failure, of)]),
    }),
    previewRules: query(b, calls.previewRules, {
      providesTags: (answer, failure, of) => [{ type: 'Records', id: of.table }, ...ofSite(answer, failure, of)],
    }),
    tableAdvice: query(b, tableAdvice, {
      providesTags: (answer, failure, of) => [{ type: 'Advice', id: of.table }, ...ofSite(answer, failure, of)],
      keepUnusedDataFor: 5,
    }),
    tableAudit: pages(b, calls.tableAudit, { providesTags: ofSite, keepUnusedDataFor: 0 }),
    /** A file, so without the envelope of other answers. */
    siteOpenApi: b.query<OpenApi, OfSite>({
      queryFn: async ({ siteId }, { signal }) => {
        const url = pathOf(calls.siteOpenApi, { siteId });
        const base = { method: 'GET', url } as const;
        try {
          const answer = await fetch(location.origin + url, { signal });
          if (answer.ok) return { data: (await answer.json()) as OpenApi };
          const failure: ApiFailure = { ...base, kind: 'http', status: answer.status, message: answer.statusText };
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
