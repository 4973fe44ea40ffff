import { publishingCalls } from '@contract/publishing/calls';
import type { publishingEndpoints } from '@contract/publishing/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';
import type { OfSite } from '@/store/endpoints';

const calls = typed<typeof publishingEndpoints>(publishingCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Publishing' as const, id: siteId }];
const releasesOf = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Release' as const, id: siteId }];
const everything = (...args: [unknown, unknown, OfSite]) => [...ofSite(...args), ...releasesOf(...args)];

/** The working copy of a site and its releases. Loaded with the screens that use them, not on first load. */
export const publishingApi = api.enhanceEndpoints({ addTagTypes: ['Publishing', 'Release'] }).injectEndpoints({
  endpoints: (b) => ({
    siteParts: query(b, calls.siteParts, { providesTags: ofSite }),
    changeSitePart: mutation(b, calls.changeSitePart, { invalidatesTags: (result, failure, args) => (failure ? [] : everything(result, failure, args)) }),
    releases: query(b, calls.releases, { providesTags: releasesOf }),
    unreleased: query(b, calls.unreleased, { providesTags: everything, keepUnusedDataFor: 0 }),
    createRelease: mutation(b, calls.createRelease, { invalidatesTags: everything }),
    cancelRelease: mutation(b, calls.cancelRelease, { invalidatesTags: everything }),
    rollBack: mutation(b, calls.rollBack, { invalidatesTags: everything }),
  }),
});

export const { useSitePartsQuery } = publishingApi;

/** Refetches the working copy and the releases of a site, after a change by somebody else. */
export const publishingChanged = (siteId: string) =>
  publishingApi.util.invalidateTags([
    { type: 'Publishing', id: siteId },
    { type: 'Release', id: siteId },
  ]);
