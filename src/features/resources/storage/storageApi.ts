import { resourceCalls } from '@contract/resources/calls';
import type { resourceEndpoints } from '@contract/resources/schemas';
import { mutation, query, typed } from '@/store/endpoints';
import { resourcesApi } from '../resourcesApi';

const calls = typed<typeof resourceEndpoints>(resourceCalls);
type OfSite = { readonly siteId: string };
/** Whatever changes the list changes the use. */
const list = (_result: unknown, _error: unknown, { siteId }: OfSite) => [{ type: 'Resource' as const, id: `LIST ${siteId}` }];

const storageApi = resourcesApi.injectEndpoints({
  endpoints: (b) => ({
    resourceScan: query(b, calls.resourceScan),
    resourceStorage: query(b, calls.resourceStorage, { providesTags: list }),
    changeResourceStorage: mutation(b, calls.changeResourceStorage, { invalidatesTags: list }),
  }),
});
export const { useResourceScanQuery, useResourceStorageQuery, useChangeResourceStorageMutation } = storageApi;
