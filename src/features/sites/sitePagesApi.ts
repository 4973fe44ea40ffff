import { listCalls } from '@contract/sites/listCalls';
import type { listEndpoints } from '@contract/sites/list';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof listEndpoints>(listCalls);

/** Calls of the sites pages; used through their hooks, loaded with those pages. */
export const sitePagesApi = api.injectEndpoints({
  endpoints: (b) => ({
    figures: query(b, calls.figures, { providesTags: ['Figures'] }),
    sitePinyin: query(b, calls.sitePinyin, { keepUnusedDataFor: 600 }),
    changeSites: mutation(b, calls.changeSites, { invalidatesTags: ['Bin'] }),
    bin: query(b, calls.bin, { providesTags: ['Bin'] }),
    slug: query(b, calls.slug, { keepUnusedDataFor: 10 }),
  }),
});

export const { useFiguresQuery, useSitePinyinQuery, useBinQuery, useSlugQuery, useLazySlugQuery } = sitePagesApi;
