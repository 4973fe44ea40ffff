import type { Site, SiteChange, SiteFigures, SiteInput, StartUp } from '@contract/sites';
import { api } from '@/store/api';

export type SlugAnswer = { slug: string; free: boolean; suggestions: string[]; systemHost: string };

/** The site list is read from `sitesSlice` only; figures, bin and slug answers from their hooks. */
export const sitesApi = api.injectEndpoints({
  endpoints: (b) => ({
    /** The start-up load: sites and languages. */
    load: b.query<StartUp, void>({ query: () => '/api/core/load/rpm', providesTags: ['StartUp'] }),
    site: b.query<Site, string>({ query: (id) => `/api/core/sites/${id}`, keepUnusedDataFor: 0 }),
    figures: b.query<SiteFigures[], void>({ query: () => '/api/core/sites/figures', providesTags: ['Figures'] }),
    bin: b.query<Site[], void>({ query: () => '/api/core/sites/bin', providesTags: ['Bin'] }),
    slug: b.query<SlugAnswer, { slug?: string; name?: string }>({ query: (params) => ({ url: '/api/core/sites/slug', params }), keepUnusedDataFor: 10 }),
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

export const {
  useFiguresQuery,
  useBinQuery,
  useSlugQuery,
  useLazySlugQuery,
  useCreateSiteMutation,
  useChangeSiteMutation,
  useSetSiteStateMutation,
  useDeleteSiteMutation,
  usePinSiteMutation,
} = sitesApi;
