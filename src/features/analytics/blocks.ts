import type { MeasureId, Report, ReportQuery } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ComponentType } from 'react';
import type { Filter } from './filters';
import type { MeasureGroup } from './measures';
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
  /** The screen, `external.so`: under its name choices of columns are remembered. */ readonly screen: string;
  /** Groups of measures that the screen's own figures belong to: its blocks ask for them together, so that one answer serves all. */
  readonly groups: readonly MeasureGroup[];
};

/** Blocks that come in a part of their own, so that a screen without them does not fetch them: the default export of their file. */
export type LateKind = 'histogram' | 'map' | 'flow' | 'tree' | 'coverage' | 'movers' | 'outlook' | 'imported' | 'reportedKeywords';
export type LateBlock<K extends LateKind> = ComponentType<BlockProps & { readonly block: BlockOf<K> }>;

/** Visits behind the smaller of the two periods: below thirty a difference is shown in grey. */
export const sampleOf = (report: Pick<Report, 'totals' | 'compareTotals'>): number | null =>
  report.compareTotals === null ? null : Math.min(report.totals.visits ?? 0, report.compareTotals.visits ?? 0);

/** Measures of the chart: the chosen ones, or the screen's own. */
export const shownMeasures = (state: ReportState, own: readonly MeasureId[]): readonly MeasureId[] => (state.measures.length > 0 ? state.measures : own);

/** The query that figures and chart share, so that one answer serves both; `groups` are those of all measures shown. */
export const seriesQuery = (siteId: string, query: ReportQuery, groups: readonly MeasureGroup[] = []): ReportQuery & { siteId: string } => ({
  siteId,
  ...query,
  series: '1',
  ...withGroups(groups),
});
/** The part of a query that asks for groups of measures; nothing where there are none, so that equal questions are written equally. */
export const withGroups = (groups: readonly MeasureGroup[]): Pick<ReportQuery, 'with'> => (groups.length === 0 ? {} : { with: [...groups] });
