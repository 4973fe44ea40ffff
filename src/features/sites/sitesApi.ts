import type { Site, SiteChange, SiteInput, StartUp } from '@contract/sites/schemas';
import { api } from '@/store/api';

/** The site list is read from `sitesSlice` only. What only pages ask for stands in `sitePagesApi`: this is in the first load. */
export const sitesApi = api.injectEndpoints({
  endpoints: (b) => ({
    /** The start-up load: sites and languages. */
    load: b.query<StartUp, void>({ query: () => '/api/core/load/rpm', providesTags: ['StartUp'] }),
    site: b.query<Site, string>({ query: (id) => `/api/core/sites/${id}`, keepUnusedDataFor: 0 }),
    createSite: b.mutation<Site, SiteInput>({ query: (body) => ({ url: '/api/core/sites', method: 'POST', body }), invalidatesTags: ['Figures'] }),
    changeSite: b.mutation<Site, { id: string; revision: number; change: SiteChange }>({
      query: ({ id, revision, change }) => ({ url: `/api/core/sites/${id}`, method: 'PATCH', body: change, ifMatch: revision }),
    }),
    setSiteState: b.mutation<Site, { id: string; to: 'active' | 'archived' }>({
      query: ({ id, to }) => ({ url: `/api/core/sites/${id}/state`, method: 'POST', body: { to } }),
      invalidatesTags: ['Bin', 'Figures'],
    }),
    deleteSite: b.mutation<Site, { id: string; confirm: string }>({
      query: ({ id, confirm }) => ({ url: `/api/core/sites/${id}`, method: 'DELETE', body: { confirm } }),
      invalidatesTags: ['Bin'],
    }),
    pinSite: b.mutation<Site, { id: string; pinned: boolean }>({
      query: ({ id, pinned }) => ({ url: `/api/core/sites/${id}/pin`, method: 'PUT', body: { pinned } }),
    }),
  }),
});

export const { useCreateSiteMutation, useChangeSiteMutation, useSetSiteStateMutation, useDeleteSiteMutation, usePinSiteMutation } = sitesApi;
