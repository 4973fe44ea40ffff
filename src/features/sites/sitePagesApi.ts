import { siteCalls } from '@contract/sites/calls';
import type { siteEndpoints } from '@contract/sites/schemas';
import { api } from '@/store/api';
import { query, typed } from '@/store/endpoints';

const calls = typed<typeof siteEndpoints>(siteCalls);

/** Calls of the sites pages; used through their hooks, loaded with those pages. */
export const sitePagesApi = api.injectEndpoints({
  endpoints: (b) => ({
    figures: query(b, calls.figures, { providesTags: ['Figures'] }),
    bin: query(b, calls.bin, { providesTags: ['Bin'] }),
    slug: query(b, calls.slug, { keepUnusedDataFor: 10 }),
  }),
});

export const { useFiguresQuery, useBinQuery, useSlugQuery, useLazySlugQuery } = sitePagesApi;
