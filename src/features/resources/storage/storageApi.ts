import { resourceCalls } from '@contract/resources/calls';
import type { resourceEndpoints } from '@contract/resources/schemas';
import { mutation, query, typed } from '@/store/endpoints';
import { list, resourcesApi } from '../resourcesApi';

const calls = typed<Pick<typeof resourceEndpoints, keyof typeof resourceCalls>>(resourceCalls);

const storageApi = resourcesApi.injectEndpoints({
  endpoints: (b) => ({
    resourceScan: query(b, calls.resourceScan),
    /** Whatever changes the list changes the use. */
    resourceStorage: query(b, calls.resourceStorage, { providesTags: list }),
    changeResourceStorage: mutation(b, calls.changeResourceStorage, { invalidatesTags: list }),
  }),
});
export const { useResourceScanQuery, useResourceStorageQuery, useChangeResourceStorageMutation } = storageApi;
