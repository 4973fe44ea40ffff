import type { MeasureId, Report, ReportQuery } from '@contract/analytics';
import type { Site } from '@contract/sites';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';

/** What every block of a report screen is given. */
export type BlockProps = { readonly site: Site; readonly state: ReportState; readonly change: Change; readonly today: string };

/** Visits behind the smaller of the two periods: below thirty a difference is shown in grey. */
export const sampleOf = (report: Pick<Report, 'totals' | 'compareTotals'>): number | null =>
  report.compareTotals === null ? null : Math.min(report.totals.visits ?? 0, report.compareTotals.visits ?? 0);

/** Measures of the chart: the chosen ones, or the screen's own. */
export const shownMeasures = (state: ReportState, own: readonly MeasureId[]): readonly MeasureId[] => (state.measures.length > 0 ? state.measures : own);

/** The query that figures and chart share, so that one answer serves both. */
export const seriesQuery = (siteId: string, query: ReportQuery): ReportQuery & { siteId: string } => ({ siteId, ...query, series: '1' });
