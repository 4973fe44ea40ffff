import type { baseEndpoints } from '@contract/sites/base';
import { baseCalls } from '@contract/sites/baseCalls';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { OfSite } from '@/store/endpoints';
import { publishingApi } from '../publishingApi';

const calls = typed<typeof baseEndpoints>(baseCalls);
const ofSite = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'SiteBase' as const, id: siteId }];

/** Settings of a site that act without a release. A refused change may mean that they are others by now. */
export const baseApi = publishingApi.enhanceEndpoints({ addTagTypes: ['SiteBase'] }).injectEndpoints({
  endpoints: (b) => ({
    siteBase: query(b, calls.siteBase, { providesTags: ofSite }),
    changeSiteBase: mutation(b, calls.changeSiteBase, { invalidatesTags: ofSite }),
    renewBypass: mutation(b, calls.renewBypass, { invalidatesTags: ofSite }),
  }),
});

export const { useSiteBaseQuery, useChangeSiteBaseMutation, useRenewBypassMutation } = baseApi;

/** Opens a delivered site as the signed-in person, who may see it although it is private. */
export const visitAddress = (siteId: string): string => addressOf(calls.visitSite, { siteId });
