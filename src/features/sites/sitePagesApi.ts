import { listCalls } from '@contract/sites/listCalls';
import type { listEndpoints } from '@contract/sites/list';
import { api } from '@/store/api';
import { query, typed } from '@/store/endpoints';

const calls = typed<typeof listEndpoints>(listCalls);

/** Calls of the sites pages; used through their hooks, loaded with those pages. */
export const sitePagesApi = api.injectEndpoints({
  endpoints: (b) => ({
    figures: query(b, calls.figures, { providesTags: ['Figures'] }),
    /** By its own tag, so that what changes figures does not load it again. */
    pinyin: query(b, calls.pinyin, { keepUnusedDataFor: 600 }),
    bin: query(b, calls.bin, { providesTags: ['Bin'] }),
    slug: query(b, calls.slug, { keepUnusedDataFor: 10 }),
  }),
});

export const { useFiguresQuery, useBinQuery, useSlugQuery, useLazySlugQuery } = sitePagesApi;
