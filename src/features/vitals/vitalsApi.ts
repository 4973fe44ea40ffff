import { vitalCalls } from '@contract/vitals/calls';
import type { vitalEndpoints } from '@contract/vitals/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof vitalEndpoints>(vitalCalls);
const budgets = { invalidatesTags: ['VitalBudget'] } as const;

/** Web vitals of sites. Fetched anew by every screen that shows them: values arrive all the time. */
export const vitalsApi = api.enhanceEndpoints({ addTagTypes: ['VitalBudget'] }).injectEndpoints({
  endpoints: (b) => ({
    vitalSites: query(b, calls.vitalSites),
    vitalSummary: query(b, calls.vitalSummary),
    vitalSeries: query(b, calls.vitalSeries),
    vitalBreakdown: query(b, calls.vitalBreakdown),
    vitalAttribution: query(b, calls.vitalAttribution),
    vitalHistogram: query(b, calls.vitalHistogram),
    vitalsOfView: query(b, calls.vitalsOfView),
    vitalBudgets: query(b, calls.vitalBudgets, { providesTags: ['VitalBudget'] }),
    addVitalBudget: mutation(b, calls.addVitalBudget, budgets),
    changeVitalBudget: mutation(b, calls.changeVitalBudget, budgets),
    removeVitalBudget: mutation(b, calls.removeVitalBudget, budgets),
  }),
});

export const {
  useVitalSitesQuery,
  useVitalSummaryQuery,
  useVitalSeriesQuery,
  useVitalBreakdownQuery,
  useVitalAttributionQuery,
  useVitalHistogramQuery,
  useVitalsOfViewQuery,
  useVitalBudgetsQuery,
  useAddVitalBudgetMutation,
  useChangeVitalBudgetMutation,
  useRemoveVitalBudgetMutation,
} = vitalsApi;
