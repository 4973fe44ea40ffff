import { pushCalls } from '@contract/seo/pushCalls';
import type { pushEndpoints } from '@contract/seo/pushSchemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof pushEndpoints>(pushCalls);
const changes = { invalidatesTags: ['Pushes' as const] };

export const pushApi = api.enhanceEndpoints({ addTagTypes: ['Pushes'] }).injectEndpoints({
  endpoints: (b) => ({
    pushSettings: query(b, calls.pushSettings, { providesTags: ['Pushes'] }),
    changePushSettings: mutation(b, calls.changePushSettings, changes),
    testPush: mutation(b, calls.testPush, changes),
    pushLedger: query(b, calls.pushLedger, { providesTags: ['Pushes'] }),
    pushNow: mutation(b, calls.pushNow, changes),
  }),
});

export const { usePushSettingsQuery, useChangePushSettingsMutation, useTestPushMutation, usePushLedgerQuery, usePushNowMutation } = pushApi;
/** Refetches settings and ledger after a push, or a change by somebody else. */
export const pushesChanged = () => pushApi.util.invalidateTags(['Pushes']);
