import type { Site, SiteFigures } from '@contract/sites/schemas';
import { api } from '@/store/api';

export type SlugAnswer = { slug: string; free: boolean; suggestions: string[]; systemHost: string };

/** What the pages of sites ask for; read from the hooks, comes with those pages. */
export const sitePagesApi = api.injectEndpoints({
  endpoints: (b) => ({
    figures: b.query<SiteFigures[], void>({ query: () => '/api/core/sites/figures', providesTags: ['Figures'] }),
    bin: b.query<Site[], void>({ query: () => '/api/core/sites/bin', providesTags: ['Bin'] }),
    slug: b.query<SlugAnswer, { slug?: string; name?: string }>({ query: (params) => ({ url: '/api/core/sites/slug', params }), keepUnusedDataFor: 10 }),
  }),
});

export const { useFiguresQuery, useBinQuery, useSlugQuery, useLazySlugQuery } = sitePagesApi;
