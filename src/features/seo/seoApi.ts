import { seoCalls } from '@contract/seo/calls';
import type { seoEndpoints } from '@contract/seo/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';
import type { OfSite } from '@/store/endpoints';

const calls = typed<typeof seoEndpoints>(seoCalls);
/** Everything here follows from the working copy and from releases. */
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Publishing' as const, id: siteId }];
const everything = (...args: [unknown, unknown, OfSite]) => [...ofSite(...args), { type: 'Release' as const, id: args[2].siteId }];

export const seoApi = api.enhanceEndpoints({ addTagTypes: ['Publishing', 'Release'] }).injectEndpoints({
  endpoints: (b) => ({
    seoOverview: query(b, calls.seoOverview, { providesTags: everything }),
    seoPages: query(b, calls.seoPages, { providesTags: everything }),
    changeSeoPages: mutation(b, calls.changeSeoPages, { invalidatesTags: (result, failure, args) => (failure ? [] : everything(result, failure, args)) }),
    fillSeoPages: mutation(b, calls.fillSeoPages),
    livePages: query(b, calls.livePages, { providesTags: everything }),
    sitemaps: query(b, calls.sitemaps, { providesTags: everything }),
  }),
});

export const { useSeoOverviewQuery, useSeoPagesQuery, useChangeSeoPagesMutation, useFillSeoPagesMutation, useLivePagesQuery, useSitemapsQuery } = seoApi;
