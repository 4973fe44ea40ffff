import { analyticsCalls } from '@contract/analytics/calls';
import type { analyticsEndpoints } from '@contract/analytics/schemas';
import { query, typed } from '@/store/endpoints';
import { analyticsApi, ofReports } from './analyticsApi';
import { type ReportState, reportQuery } from './urlState';

const calls = typed<typeof analyticsEndpoints>(analyticsCalls);

/** Endpoints of blocks other than tables; they load with those blocks. */
const blocksApi = analyticsApi.injectEndpoints({
  endpoints: (b) => ({
    tree: query(b, calls.tree, ofReports),
    flow: query(b, calls.flow, ofReports),
    distribution: query(b, calls.distribution, ofReports),
    coverage: query(b, calls.coverage, ofReports),
    movers: query(b, calls.movers, ofReports),
    outlook: query(b, calls.outlook, ofReports),
  }),
});

/** Common parameters of these endpoints: range, filters, visitors, segments. */
export const scopeOf = (state: ReportState) => {
  const { from, to, filter, who, segment } = reportQuery(state);
  return { from, to, filter, who, ...(segment === undefined ? {} : { segment }) };
};

export const { useTreeQuery, useFlowQuery, useDistributionQuery, useCoverageQuery, useMoversQuery, useOutlookQuery } = blocksApi;
