import type { AuditEntry } from '@contract/audit/schemas';
import type { z } from 'zod';
import type { RuleInput, RulesPreview, TableRules } from '@contract/tables/access';
import type { IndexAnswer, IndexChange, TableAdvice } from '@contract/tables/indexes';
import type { RuleRole, tableAuditKinds } from '@contract/tables/terms';
import type { ApiFailure } from '@/store/failure';
import { designApi } from '../parts/designApi';
import { tablePath } from '../tablesApi';
import type { OfTable } from '../tablesApi';
import type { OpenApi } from './operations';

type AuditPage = { readonly rows: readonly AuditEntry[]; readonly next: string | null };
const of = ({ siteId, table }: OfTable, rest: string): string => tablePath(siteId, `/${table}${rest}`);
/** Definitions and rules are one revision: what changes either makes old what was read of both. */
const ofSite = (_answer: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'Design' as const, id: siteId }];

/** What only the screen of administration asks. */
export const adminApi = designApi.enhanceEndpoints({ addTagTypes: ['Advice'] }).injectEndpoints({
  endpoints: (b) => ({
    tableRules: b.query<TableRules, OfTable>({ query: (args) => ({ url: of(args, '/rules') }), providesTags: ofSite }),
    setTableRules: b.mutation<TableRules, OfTable & { revision: number; rules: readonly RuleInput[] }>({
      query: ({ revision, rules, ...args }) => ({ url: of(args, '/rules'), method: 'PUT', body: { rules }, ifMatch: revision }),
      // What was saved is on the screen before it is asked for again.
      onQueryStarted: async ({ siteId, table }, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (answer) dispatch(adminApi.util.updateQueryData('tableRules', { siteId, table }, () => answer.data));
      },
      invalidatesTags: (_answer, failure, { siteId }) =>
        failure
          ? []
          : [
              { type: 'Design', id: siteId },
              { type: 'Table', id: siteId },
            ],
    }),
    previewRules: b.query<RulesPreview, OfTable & { role: RuleRole; locale?: string }>({
      query: ({ role, locale, ...args }) => ({ url: of(args, '/rules/preview'), params: { role, locale } }),
      providesTags: (_answer, _failure, { siteId, table }) => [
        { type: 'Design', id: siteId },
        { type: 'Records', id: table },
      ],
    }),
    tableAdvice: b.query<TableAdvice, OfTable>({
      query: (args) => ({ url: of(args, '/advice') }),
      providesTags: (_answer, _failure, { siteId, table }) => [
        { type: 'Advice', id: table },
        { type: 'Design', id: siteId },
      ],
      keepUnusedDataFor: 5,
    }),
    setFieldIndexes: b.mutation<z.infer<typeof IndexAnswer>, OfTable & { field: string; body: z.input<typeof IndexChange> }>({
      query: ({ field, body, ...args }) => ({ url: of(args, `/fields/${field}/indexes`), method: 'PUT', body }),
      invalidatesTags: (_answer, failure, { siteId, table }) => [{ type: 'Advice', id: table }, ...(failure ? [] : [{ type: 'Table' as const, id: siteId }])],
    }),
    tableAudit: b.infiniteQuery<AuditPage, { siteId: string; kind?: (typeof tableAuditKinds)[number] }, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.next ?? undefined },
      query: ({ queryArg: { siteId, ...params }, pageParam }) => ({ url: `/api/site/${siteId}/table/audit`, params: { ...params, before: pageParam } }),
      providesTags: (_answer, _failure, { siteId }) => [{ type: 'Design', id: siteId }],
      keepUnusedDataFor: 0,
    }),
    /** A file, so without the envelope of other answers. */
    openApi: b.query<OpenApi, string>({
      queryFn: async (siteId, { signal }) => {
        const url = `/api/site/${siteId}/table/openapi.json`;
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
      providesTags: (_answer, _failure, siteId) => [{ type: 'Design', id: siteId }],
      keepUnusedDataFor: 30,
    }),
  }),
});

export const {
  useTableRulesQuery,
  useSetTableRulesMutation,
  usePreviewRulesQuery,
  useTableAdviceQuery,
  useSetFieldIndexesMutation,
  useTableAuditInfiniteQuery,
  useOpenApiQuery,
} = adminApi;
