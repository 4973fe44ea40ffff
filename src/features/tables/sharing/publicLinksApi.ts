import { tablePublicLinkCalls } from '@contract/tables/calls';
import type { tablePublicLinkEndpoints } from '@contract/tables/publicLinks';
import { mutation, query, typed } from '@/store/endpoints';
import { tablesApi } from '@/features/tables/tablesApi';

const calls = typed<typeof tablePublicLinkEndpoints>(tablePublicLinkCalls);
const tag = (_answer: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'ViewShare' as const, id: siteId }];

/** Links to saved views, fetched on demand by users who may create them. */
export const publicLinksApi = tablesApi.enhanceEndpoints({ addTagTypes: ['ViewShare'] }).injectEndpoints({
  endpoints: (b) => ({
    viewShares: query(b, calls.viewShares, { providesTags: tag, keepUnusedDataFor: 5 }),
    addViewShare: mutation(b, calls.addViewShare, { invalidatesTags: tag }),
    changeViewShare: mutation(b, calls.changeViewShare, { invalidatesTags: tag }),
    takeOverViewShare: mutation(b, calls.takeOverViewShare, { invalidatesTags: tag }),
    removeViewShare: mutation(b, calls.removeViewShare, { invalidatesTags: tag }),
  }),
});

export const { useViewSharesQuery, useAddViewShareMutation, useChangeViewShareMutation, useTakeOverViewShareMutation, useRemoveViewShareMutation } =
  publicLinksApi;
