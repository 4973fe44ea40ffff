import type { MeasureId, Report, ReportQuery } from '@contract/analytics';
import type { Site } from '@contract/sites';
import type { ComponentType } from 'react';
import type { Filter } from './filters';
import type { BlockOf } from './sections';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';

/** What every block of a report screen is given. */
export type BlockProps = {
  readonly site: Site;
  /** With the filters of the screen itself. */ readonly state: ReportState;
  /** The reader's filters alone, as they stand in the address. */ readonly own: readonly Filter[];
  /** May be given the filters of `state`: those of the screen do not get into the address. */ readonly change: Change;
  readonly today: string;
};

/** Blocks that come in a part of their own, so that a screen without them does not fetch them: the default export of their file. */
export type LateKind = 'histogram' | 'map' | 'flow' | 'tree' | 'coverage' | 'movers' | 'outlook';
export type LateBlock<K extends LateKind> = ComponentType<BlockProps & { readonly block: BlockOf<K> }>;

/** Visits behind the smaller of the two periods: below thirty a difference is shown in grey. */
export const sampleOf = (report: Pick<Report, 'totals' | 'compareTotals'>): number | null =>
  report.compareTotals === null ? null : Math.min(report.totals.visits ?? 0, report.compareTotals.visits ?? 0);

/** Measures of the chart: the chosen ones, or the screen's own. */
export const shownMeasures = (state: ReportState, own: readonly MeasureId[]): readonly MeasureId[] => (state.measures.length > 0 ? state.measures : own);

/** The query that figures and chart share, so that one answer serves both. */
export const seriesQuery = (siteId: string, query: ReportQuery): ReportQuery & { siteId: string } => ({ siteId, ...query, series: '1' });
