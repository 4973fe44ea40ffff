import { countryBlockCalls } from '@contract/countryBlock/calls';
import type { countryBlockEndpoints } from '@contract/countryBlock/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof countryBlockEndpoints>(countryBlockCalls);

/** The country rule of a site; used by its page only. */
export const countryBlockApi = api.enhanceEndpoints({ addTagTypes: ['CountryRule'] }).injectEndpoints({
  endpoints: (b) => ({
    countryRule: query(b, calls.countryRule, { providesTags: ['CountryRule'] }),
    changeCountryRule: mutation(b, calls.changeCountryRule, { invalidatesTags: ['CountryRule'] }),
    countryRuleVersions: query(b, calls.countryRuleVersions, { providesTags: ['CountryRule'] }),
    restoreCountryRule: mutation(b, calls.restoreCountryRule, { invalidatesTags: ['CountryRule'] }),
    previewCountryRule: query(b, calls.previewCountryRule, { keepUnusedDataFor: 30 }),
    testCountryRule: mutation(b, calls.testCountryRule),
    updateCountryDatabase: mutation(b, calls.updateCountryDatabase),
    readNetworks: mutation(b, calls.readNetworks),
    blockedRequests: query(b, calls.blockedRequests),
    blockedSummary: query(b, calls.blockedSummary),
  }),
});

export const {
  useCountryRuleQuery,
  useChangeCountryRuleMutation,
  useCountryRuleVersionsQuery,
  useRestoreCountryRuleMutation,
  usePreviewCountryRuleQuery,
  useTestCountryRuleMutation,
  useUpdateCountryDatabaseMutation,
  useReadNetworksMutation,
  useBlockedRequestsQuery,
  useBlockedSummaryQuery,
} = countryBlockApi;

/** The address of the log as a CSV file. */
export const blockedFile = (siteId: string, country: string): string => addressOf(calls.downloadBlocked, { siteId, ...(country === '' ? {} : { country }) });
