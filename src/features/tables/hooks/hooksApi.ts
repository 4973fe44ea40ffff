import type { DeliveryState, Hook, HookChange, HookDelivery, HookDeliveryWhole, HookInput, HookMade } from '@contract/tables/webhooks';
import { tablesApi } from '../tablesApi';

type OfHook = { readonly siteId: string; readonly id: string };
type OfDelivery = OfHook & { readonly delivery: string };
export type LogQuestion = OfHook & { readonly state?: DeliveryState; readonly event?: string };
type LogPage = { readonly rows: readonly HookDelivery[]; readonly next: string | null };

const of = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/hooks${rest}`;
const ofSite = (_answer: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type: 'Hook' as const, id: siteId }];
const changed = (_answer: unknown, failure: unknown, { siteId }: { readonly siteId: string }) => (failure ? [] : [{ type: 'Hook' as const, id: siteId }]);
/** Also what the list says of latest deliveries is no longer so. */
const sent = (_answer: unknown, _failure: unknown, { siteId, id }: OfHook) => [
  { type: 'Hook' as const, id: siteId },
  { type: 'Delivery' as const, id },
];

/** Webhooks of content tables. */
export const hooksApi = tablesApi.enhanceEndpoints({ addTagTypes: ['Hook', 'Delivery'] }).injectEndpoints({
  endpoints: (b) => ({
    hooks: b.query<Hook[], { siteId: string }>({ query: ({ siteId }) => ({ url: of(siteId) }), providesTags: ofSite }),
    addHook: b.mutation<HookMade, { siteId: string; body: HookInput }>({
      query: ({ siteId, body }) => ({ url: of(siteId), method: 'POST', body }),
      invalidatesTags: changed,
    }),
    changeHook: b.mutation<Hook, OfHook & { revision: number; body: HookChange }>({
      query: ({ siteId, id, revision, body }) => ({ url: of(siteId, `/${id}`), method: 'PATCH', body, ifMatch: revision }),
      // What another has changed is to be seen, whether this was kept or not.
      invalidatesTags: ofSite,
    }),
    removeHook: b.mutation<null, OfHook>({ query: ({ siteId, id }) => ({ url: of(siteId, `/${id}`), method: 'DELETE' }), invalidatesTags: changed }),
    rotateHook: b.mutation<HookMade, OfHook & { keepOld: boolean }>({
      query: ({ siteId, id, keepOld }) => ({ url: of(siteId, `/${id}/rotate`), method: 'POST', body: { keepOld } }),
      invalidatesTags: changed,
    }),
    testHook: b.mutation<HookDeliveryWhole, OfHook>({
      query: ({ siteId, id }) => ({ url: of(siteId, `/${id}/test`), method: 'POST' }),
      invalidatesTags: sent,
    }),
    deliveries: b.infiniteQuery<LogPage, LogQuestion, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.next ?? undefined },
      query: ({ queryArg: { siteId, id, ...params }, pageParam }) => ({ url: of(siteId, `/${id}/deliveries`), params: { ...params, before: pageParam } }),
      providesTags: (_answer, _failure, { id }) => [{ type: 'Delivery', id }],
      keepUnusedDataFor: 5,
    }),
    delivery: b.query<HookDeliveryWhole, OfDelivery>({
      query: ({ siteId, id, delivery }) => ({ url: of(siteId, `/${id}/deliveries/${delivery}`) }),
      providesTags: (_answer, _failure, { id }) => [{ type: 'Delivery', id }],
      keepUnusedDataFor: 0,
    }),
    replayDelivery: b.mutation<HookDelivery, OfDelivery>({
      query: ({ siteId, id, delivery }) => ({ url: of(siteId, `/${id}/deliveries/${delivery}/replay`), method: 'POST' }),
      invalidatesTags: sent,
    }),
    replayFailed: b.mutation<{ count: number }, OfHook & { since: string }>({
      query: ({ siteId, id, since }) => ({ url: of(siteId, `/${id}/replay`), method: 'POST', body: { since } }),
      invalidatesTags: sent,
    }),
  }),
});

export const {
  useHooksQuery,
  useAddHookMutation,
  useChangeHookMutation,
  useRemoveHookMutation,
  useRotateHookMutation,
  useTestHookMutation,
  useDeliveriesInfiniteQuery,
  useDeliveryQuery,
  useReplayDeliveryMutation,
  useReplayFailedMutation,
} = hooksApi;
