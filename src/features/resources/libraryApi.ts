import { resourceCalls, resourceLibraryCalls } from '@contract/resources/calls';
import type { resourceLibraryEndpoints } from '@contract/resources/library';
import type { resourceEndpoints } from '@contract/resources/schemas';
import { api } from '@/store/api';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import type { OfSite, ResultOf } from '@/store/endpoints';
import type { ResourceListQuery } from './resourcesApi';

const calls = typed<typeof resourceLibraryEndpoints>(resourceLibraryCalls);
const items = typed<Pick<typeof resourceEndpoints, 'resources' | 'changeResource'>>(resourceCalls);
type OfOne = OfSite & { readonly id: string };

const everything = (_result: unknown, error: unknown, { siteId }: OfSite) =>
  error ? [] : ['Resource' as const, { type: 'ResourceFolder' as const, id: siteId }];

/** Where resources are used, their versions and duplicates, and files from addresses. */
export const libraryApi = api.injectEndpoints({
  endpoints: (b) => ({
    // Records change without a notice to this screen, so that nothing is kept.
    resourceUses: query(b, calls.resourceUses, { providesTags: ['Resource'], keepUnusedDataFor: 0 }),
    replaceResources: mutation(b, calls.replaceResources, { invalidatesTags: everything }),
    resourceDuplicates: query(b, calls.resourceDuplicates, { providesTags: (_result, _error, { siteId }) => [{ type: 'Resource', id: `LIST ${siteId}` }] }),
    resourceVersions: query(b, calls.resourceVersions, { providesTags: (_result, _error, { id }: OfOne) => [{ type: 'Resource', id }] }),
    activateResourceVersion: mutation(b, calls.activateResourceVersion, { invalidatesTags: everything }),
    addResourceFrom: mutation(b, calls.addResourceFrom, { invalidatesTags: everything }),
    /** Resources whose texts are written one after the other: a change does not fetch the list again, which would take the row away. */
    resourcesToDescribe: b.infiniteQuery<ResultOf<typeof resourceEndpoints.resources>, ResourceListQuery, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.after ?? undefined },
      query: ({ queryArg, pageParam }) => requestOf(items.resources, { ...queryArg, ...(pageParam === null ? {} : { after: pageParam }) }),
      keepUnusedDataFor: 0,
    }),
    /** A page of resources that is not shown: of the bin or of a folder, to be changed together. */
    resourcesToChange: query(b, items.resources, { keepUnusedDataFor: 0 }),
    describeResource: mutation(b, items.changeResource, { invalidatesTags: (_result, error, { id }) => (error ? [] : [{ type: 'Resource', id }]) }),
  }),
});

export const {
  useResourceUsesQuery,
  useResourceDuplicatesQuery,
  useResourceVersionsQuery,
  useActivateResourceVersionMutation,
  useAddResourceFromMutation,
  useResourcesToDescribeInfiniteQuery,
} = libraryApi;
