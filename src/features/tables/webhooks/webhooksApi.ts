import { tableWebhookCalls } from '@contract/tables/calls';
import type { tableWebhookEndpoints } from '@contract/tables/webhooks';
import { mutation, pages, query, typed } from '@/store/endpoints';
import type { OfSite } from '@/store/endpoints';
import { tablesApi } from '@/features/tables/tablesApi';

type OfHook = OfSite & { readonly hook: string };

const calls = typed<typeof tableWebhookEndpoints>(tableWebhookCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Hook' as const, id: siteId }];
const changed = (result: unknown, failure: unknown, of: OfSite) => (failure ? [] : ofSite(result, failure, of));
const ofHook = (_result: unknown, _failure: unknown, { hook }: OfHook) => [{ type: 'Delivery' as const, id: hook }];
/** Also invalidates the list, which shows the latest deliveries. */
const sent = (result: unknown, failure: unknown, of: OfHook) => [...ofSite(result, failure, of), ...ofHook(result, failure, of)];

/** Webhooks of content tables. */
export const webhooksApi = tablesApi.enhanceEndpoints({ addTagTypes: ['Hook', 'Delivery'] }).injectEndpoints({
  endpoints: (b) => ({
    hooks: query(b, calls.hooks, { providesTags: ofSite }),
    addHook: mutation(b, calls.addHook, { invalidatesTags: changed }),
    // Refetches even after a refusal, to show what others have changed.
    changeHook: mutation(b, calls.changeHook, { invalidatesTags: ofSite }),
    removeHook: mutation(b, calls.removeHook, { invalidatesTags: changed }),
    restoreHook: mutation(b, calls.restoreHook, { invalidatesTags: changed }),
    rotateHook: mutation(b, calls.rotateHook, { invalidatesTags: changed }),
    testHook: mutation(b, calls.testHook, { invalidatesTags: sent }),
    hookDeliveries: pages(b, calls.hookDeliveries, { providesTags: ofHook, keepUnusedDataFor: 5 }),
    hookDelivery: query(b, calls.hookDelivery, { providesTags: ofHook, keepUnusedDataFor: 0 }),
    replayDelivery: mutation(b, calls.replayDelivery, { invalidatesTags: sent }),
    replayFailed: mutation(b, calls.replayFailed, { invalidatesTags: sent }),
  }),
});

export const {
  useHooksQuery,
  useAddHookMutation,
  useChangeHookMutation,
  useRemoveHookMutation,
  useRotateHookMutation,
  useTestHookMutation,
  useHookDeliveriesInfiniteQuery,
  useHookDeliveryQuery,
  useReplayDeliveryMutation,
  useReplayFailedMutation,
} = webhooksApi;
