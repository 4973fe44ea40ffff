import { analyticsCalls } from '@contract/analytics/calls';
import type { ExportQuery, Report, analyticsEndpoints } from '@contract/analytics/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { ArgumentsOf, ResultOf } from '@/store/endpoints';

type Analytics = typeof analyticsEndpoints;
const calls = typed<Analytics>(analyticsCalls);

export type LatestPage = ResultOf<Analytics['latest']>;
export type LatestFilter = Omit<ArgumentsOf<Analytics['latest']>, 'cursor' | 'size'>;

/** Answers change with every hit, so they are kept for a minute only, and one screen asks again when it is opened. */
const keepUnusedDataFor = 60;
const ofSite =
  <T extends 'Report' | 'Online' | 'PageEvents' | 'Install'>(type: T) =>
  (_answer: unknown, _failure: unknown, { siteId }: { readonly siteId: string }) => [{ type, id: siteId }];
/** Of what is counted in visits: live visits refresh them together. */
export const ofReports = { providesTags: ofSite('Report'), keepUnusedDataFor };

/** Analytics endpoints. They are read from their hooks only; tags carry the site, so one site's hits refresh one site. */
export const analyticsApi = api.injectEndpoints({
  endpoints: (b) => ({
    report: query(b, calls.report, ofReports),
    latest: query(b, calls.latest, {
      providesTags: (_answer, _failure, { siteId, cursor }) => (cursor === undefined ? [{ type: 'Latest', id: siteId }] : []),
      keepUnusedDataFor,
    }),
    online: query(b, calls.online, { providesTags: ofSite('Online'), keepUnusedDataFor }),
    pageEvents: query(b, calls.pageEvents, { providesTags: ofSite('PageEvents'), keepUnusedDataFor }),
    values: query(b, calls.values),
    install: query(b, calls.install, { providesTags: ofSite('Install') }),
    installCheck: mutation(b, calls.installCheck),
  }),
});

/** Whether there was anything to compare with: before the site's first visits every figure would only be "new". */
export const isCompared = (report: Report): boolean =>
  report.compareTotals !== null && ((report.compareTotals.visits ?? 0) > 0 || (report.compareTotals.views ?? 0) > 0);

/** The address of the file with exactly what the query shows. */
export const exportAddress = (siteId: string, asked: Omit<ExportQuery, 'format'>, format: 'csv' | 'json'): string =>
  addressOf(calls.exportReport, { ...asked, siteId, format });

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
