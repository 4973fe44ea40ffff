import type {
  Distribution,
  DistributionQuery,
  Flow,
  FlowQuery,
  KnownShares,
  Movers,
  MoversQuery,
  Outlook,
  OutlookQuery,
  Tree,
  TreeQuery,
} from '@contract/analytics/schemas';
import type { QueryParams } from '@/lib/queryString';
import { analyticsApi } from './analyticsApi';
import { type ReportState, reportQuery } from './urlState';

type OfSite<T> = T & { readonly siteId: string };
/** Live visits refresh them with the reports. */
const ofReports = {
  providesTags: (_answer: unknown, _failure: unknown, { siteId }: { siteId: string }) => [{ type: 'Report' as const, id: siteId }],
  keepUnusedDataFor: 60,
};
const call =
  (name: string) =>
  ({ siteId, ...params }: { siteId: string }) => ({ url: `/api/site/${siteId}/als/${name}`, params: params as QueryParams });

/** Endpoints of the blocks that are more than a table; they come with those blocks. */
const blocksApi = analyticsApi.injectEndpoints({
  endpoints: (b) => ({
    tree: b.query<Tree, OfSite<TreeQuery>>({ query: call('tree'), ...ofReports }),
    flow: b.query<Flow, OfSite<FlowQuery>>({ query: call('flow'), ...ofReports }),
    distribution: b.query<Distribution, OfSite<DistributionQuery>>({ query: call('distribution'), ...ofReports }),
    coverage: b.query<KnownShares, OfSite<Omit<TreeQuery, 'under' | 'host'>>>({ query: call('coverage'), ...ofReports }),
    movers: b.query<Movers, OfSite<MoversQuery>>({ query: call('movers'), ...ofReports }),
    outlook: b.query<Outlook, OfSite<OutlookQuery>>({ query: call('outlook'), ...ofReports }),
  }),
});

/** What a question of these endpoints is about: range, filters, who, segments. */
export const scopeOf = (state: ReportState) => {
  const { from, to, filter, who, segment } = reportQuery(state);
  return { from, to, filter, who, ...(segment === undefined ? {} : { segment }) };
};

export const { useTreeQuery, useFlowQuery, useDistributionQuery, useCoverageQuery, useMoversQuery, useOutlookQuery } = blocksApi;
