import { dashboardCalls } from '@contract/dashboard/calls';
import type { dashboardEndpoints } from '@contract/dashboard/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof dashboardEndpoints>(dashboardCalls);
type OfSite = { readonly siteId: string };
type OfCards = OfSite & { readonly cards?: string | undefined };
/** Those of the cards of one request are invalidated alone. */
export const tagOf = ({ siteId, cards }: OfCards) => ({ type: 'Dashboard' as const, id: cards === undefined ? siteId : `${siteId} ${cards}` });
const tagsOf = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [tagOf({ siteId })];

/** The cards of a site's dashboard. They change with every visit, so they are not kept when the screen is left. */
export const dashboardApi = api.enhanceEndpoints({ addTagTypes: ['Dashboard'] }).injectEndpoints({
  endpoints: (b) => ({
    dashboard: query(b, calls.dashboard, {
      providesTags: (_result, _failure, params) => [tagOf({ siteId: params.siteId }), tagOf(params)],
      keepUnusedDataFor: 60,
    }),
    dashboardChange: query(b, calls.dashboardChange, { keepUnusedDataFor: 0 }),
    dashboardCauses: query(b, calls.dashboardCauses, { keepUnusedDataFor: 0 }),
    snoozeAttention: mutation(b, calls.snoozeAttention, { invalidatesTags: tagsOf }),
    hideSetup: mutation(b, calls.hideSetup, { invalidatesTags: tagsOf }),
  }),
});

export const { useDashboardQuery, useDashboardChangeQuery, useDashboardCausesQuery, useSnoozeAttentionMutation, useHideSetupMutation } = dashboardApi;
