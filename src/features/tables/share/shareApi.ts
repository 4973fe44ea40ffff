import type { ViewShare, ViewShareChange, ViewShareInput } from '@contract/tables/shares';
import { tablesApi } from '../tablesApi';

type OfSite = { readonly siteId: string };
const tag = (_answer: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'ViewShare' as const, id: siteId }];
const of = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/shares${rest}`;

/** Links to saved views: asked for by who may make them, when they want to see them. */
export const shareApi = tablesApi.enhanceEndpoints({ addTagTypes: ['ViewShare'] }).injectEndpoints({
  endpoints: (b) => ({
    viewShares: b.query<ViewShare[], OfSite>({ query: ({ siteId }) => of(siteId), providesTags: tag, keepUnusedDataFor: 5 }),
    addViewShare: b.mutation<ViewShare, OfSite & { table: string; view: string; body: ViewShareInput }>({
      query: ({ siteId, table, view, body }) => ({ url: `/api/site/${siteId}/table/tables/${table}/views/${view}/shares`, method: 'POST', body }),
      invalidatesTags: tag,
    }),
    changeViewShare: b.mutation<ViewShare, OfSite & { id: string; revision: number; body: ViewShareChange }>({
      query: ({ siteId, id, revision, body }) => ({ url: of(siteId, `/${id}`), method: 'PATCH', body, ifMatch: revision }),
      invalidatesTags: tag,
    }),
    takeOverViewShare: b.mutation<ViewShare, OfSite & { id: string }>({
      query: ({ siteId, id }) => ({ url: of(siteId, `/${id}/take-over`), method: 'POST' }),
      invalidatesTags: tag,
    }),
    removeViewShare: b.mutation<null, OfSite & { id: string }>({
      query: ({ siteId, id }) => ({ url: of(siteId, `/${id}`), method: 'DELETE' }),
      invalidatesTags: tag,
    }),
  }),
});

export const { useViewSharesQuery, useAddViewShareMutation, useChangeViewShareMutation, useTakeOverViewShareMutation, useRemoveViewShareMutation } = shareApi;
