import type { Install, InstallCheck, DimensionId, ExportQuery, Online, PageEvents, Report, ReportQuery, VisitRow } from '@contract/analytics/schemas';
import type { QueryParams } from '@/lib/queryString';
import { queryString } from '@/lib/queryString';
import { api } from '@/store/api';

export type LatestPage = { rows: VisitRow[]; next: string | null };
export type LatestFilter = {
  siteId: string;
  filter: readonly string[];
  who: string;
  segment?: readonly string[];
  /** Days on which the visits began. */
  from?: string;
  to?: string;
};
type OfSite<T> = T & { readonly siteId: string };

/** Answers change with every hit, so they are kept for a minute only, and one screen asks again when it is opened. */
const keepUnusedDataFor = 60;
/** The contract's schema types `filter` as one or many; the query string repeats it either way. */
const plain = (query: ReportQuery): QueryParams => query as QueryParams;

/** Analytics endpoints. They are read from their hooks only; tags carry the site, so one site's hits refresh one site. */
export const analyticsApi = api.injectEndpoints({
  endpoints: (b) => ({
    report: b.query<Report, OfSite<ReportQuery>>({
      query: ({ siteId, ...query }) => ({ url: `/api/site/${siteId}/als/report`, params: plain(query) }),
      providesTags: (_answer, _failure, { siteId }) => [{ type: 'Report', id: siteId }],
      keepUnusedDataFor,
    }),
    latest: b.query<LatestPage, LatestFilter & { cursor?: string; size?: number }>({
      query: ({ siteId, filter, segment = [], ...rest }) => ({
        url: `/api/site/${siteId}/als/latest`,
        params: { filter: [...filter], segment: [...segment], ...rest },
      }),
      providesTags: (_answer, _failure, { siteId, cursor }) => (cursor === undefined ? [{ type: 'Latest', id: siteId }] : []),
      keepUnusedDataFor,
    }),
    online: b.query<Online, { siteId: string } & Partial<LatestFilter>>({
      query: ({ siteId, filter, who, segment = [] }) => ({
        url: `/api/site/${siteId}/als/online`,
        params: { filter: filter && [...filter], who, segment: [...segment] },
      }),
      providesTags: (_answer, _failure, { siteId }) => [{ type: 'Online', id: siteId }],
      keepUnusedDataFor,
    }),
    pageEvents: b.query<PageEvents, { siteId: string; pageId: string }>({
      query: ({ siteId, pageId }) => ({ url: `/api/site/${siteId}/als/events/${encodeURIComponent(pageId)}` }),
      providesTags: (_answer, _failure, { siteId }) => [{ type: 'PageEvents', id: siteId }],
      keepUnusedDataFor,
    }),
    values: b.query<string[], { siteId: string; by: DimensionId; q: string; from: string; to: string }>({
      query: ({ siteId, ...params }) => ({ url: `/api/site/${siteId}/als/values`, params }),
    }),
    install: b.query<Install, string>({
      query: (siteId) => ({ url: `/api/site/${siteId}/als/install` }),
      providesTags: (_answer, _failure, siteId) => [{ type: 'Install', id: siteId }],
    }),
    installCheck: b.mutation<InstallCheck, { siteId: string; url?: string }>({
      query: ({ siteId, ...body }) => ({ url: `/api/site/${siteId}/als/install/check`, method: 'POST', body }),
    }),
  }),
});

/** Whether there was anything to compare with: before the site's first visits every figure would only be "new". */
export const isCompared = (report: Report): boolean =>
  report.compareTotals !== null && ((report.compareTotals.visits ?? 0) > 0 || (report.compareTotals.views ?? 0) > 0);

/** The address of the file with exactly what the query shows. */
export const exportAddress = (siteId: string, query: Omit<ExportQuery, 'format'>, format: 'csv' | 'json'): string => {
  const text = queryString({ ...plain(query), format });
  return `/api/site/${siteId}/als/export?${text}`;
};

export const {
  useReportQuery,
  useLatestQuery,
  useLazyLatestQuery,
  useOnlineQuery,
  usePageEventsQuery,
  useValuesQuery,
  useInstallQuery,
  useInstallCheckMutation,
} = analyticsApi;
