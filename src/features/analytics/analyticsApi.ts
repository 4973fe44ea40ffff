import { analyticsCalls } from '@contract/analytics/calls';
import type { ExportQuery, Report, analyticsEndpoints } from '@contract/analytics/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { ArgumentsOf } from '@/store/endpoints';
import { reportTogether } from './reportsTogether';
import type { ReportArguments } from './reportsTogether';

type Analytics = typeof analyticsEndpoints;
const calls = typed<Analytics>(analyticsCalls);

export type LatestFilter = Omit<ArgumentsOf<Analytics['latest']>, 'cursor' | 'size'>;

/** Results change with every hit, so they are cached for a minute only, and a screen refetches when it is opened. Seconds. */
const keepUnusedDataFor = 60;
const ofSite =
  <T extends 'Report' | 'Online' | 'PageEvents' | 'Install'>(type: T) =>
  (_result: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type, id: siteId }];
/** Everything counted in visits: live visits refresh it together. */
export const ofReports = { providesTags: ofSite('Report'), keepUnusedDataFor };

/** Analytics endpoints. They are used through their hooks only; tags contain the site, so that one site's hits refresh one site. */
export const analyticsApi = api.injectEndpoints({
  endpoints: (b) => ({
    report: b.query<Report, ReportArguments>({ ...ofReports, queryFn: (args, _api, _options, send) => reportTogether(args, send) }),
    latest: query(b, calls.latest, {
      providesTags: (_result, _failure, { siteId, cursor }) => (cursor === undefined ? [{ type: 'Latest', id: siteId }] : []),
      keepUnusedDataFor,
    }),
    online: query(b, calls.online, { providesTags: ofSite('Online'), keepUnusedDataFor }),
    pageEvents: query(b, calls.pageEvents, { providesTags: ofSite('PageEvents'), keepUnusedDataFor }),
    values: query(b, calls.values),
    install: query(b, calls.install, { providesTags: ofSite('Install') }),
    installCheck: mutation(b, calls.installCheck),
  }),
});

/** Whether there was anything to compare with: before the site's first visits every figure would be "new". */
export const isCompared = (report: Report): boolean =>
  report.compareTotals !== null && ((report.compareTotals.visits ?? 0) > 0 || (report.compareTotals.views ?? 0) > 0);

/** The address of a file with exactly the result of the query. */
export const exportAddress = (siteId: string, args: Omit<ExportQuery, 'format'>, format: 'csv' | 'json'): string =>
  addressOf(calls.exportReport, { ...args, siteId, format });

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
