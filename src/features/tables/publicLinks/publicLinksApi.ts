import { tablePublicLinkCalls } from '@contract/tables/calls';
import type { tablePublicLinkEndpoints } from '@contract/tables/publicLinks';
import { mutation, query, typed } from '@/store/endpoints';
import { tablesApi } from '@/features/tables/tablesApi';

const calls = typed<Pick<typeof tablePublicLinkEndpoints, keyof typeof tablePublicLinkCalls>>(tablePublicLinkCalls);
const tag = (_result: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'ViewPublicLink' as const, id: siteId }];

/** Links to saved views, fetched on demand by users who may create them. */
export const publicLinksApi = tablesApi.enhanceEndpoints({ addTagTypes: ['ViewPublicLink'] }).injectEndpoints({
  endpoints: (b) => ({
    viewPublicLinks: query(b, calls.viewPublicLinks, { providesTags: tag, keepUnusedDataFor: 5 }),
    addViewPublicLink: mutation(b, calls.addViewPublicLink, { invalidatesTags: tag }),
    changeViewPublicLink: mutation(b, calls.changeViewPublicLink, { invalidatesTags: tag }),
    takeOverViewPublicLink: mutation(b, calls.takeOverViewPublicLink, { invalidatesTags: tag }),
    removeViewPublicLink: mutation(b, calls.removeViewPublicLink, { invalidatesTags: tag }),
    restoreViewPublicLink: mutation(b, calls.restoreViewPublicLink, { invalidatesTags: tag }),
  }),
});

export const {
  useViewPublicLinksQuery,
  useAddViewPublicLinkMutation,
  useChangeViewPublicLinkMutation,
  useTakeOverViewPublicLinkMutation,
  useRemoveViewPublicLinkMutation,
} = publicLinksApi;
