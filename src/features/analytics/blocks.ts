import type { MeasureId, Report, ReportQuery } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ComponentType } from 'react';
import type { Filter } from './filters';
import type { MeasureGroup } from './measures';
import type { BlockOf } from './sections';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';

/** Props of every block of a report screen. */
export type BlockProps = {
  readonly site: Site;
  /** Including the filters of the screen itself. */ readonly state: ReportState;
  /** The reader's filters only, as in the address. */ readonly own: readonly Filter[];
  /** May receive the filters of `state`: those of the screen are not written to the address. */ readonly change: Change;
  readonly today: string;
  /** The screen, `external.so`: the storage key of column choices. */ readonly screen: string;
  /** Groups of the measures in the screen's own figures: its blocks request them together, so that one response serves all. */
  readonly groups: readonly MeasureGroup[];
};

/** Blocks in lazy parts of their own, so that a screen without them does not load them: the default export of their file. */
export type LazyKind = 'histogram' | 'map' | 'flow' | 'tree' | 'coverage' | 'movers' | 'imported' | 'reportedKeywords';
export type LazyBlock<K extends LazyKind> = ComponentType<BlockProps & { readonly block: BlockOf<K> }>;

/** Visits behind the smaller of the two periods: below thirty a difference is grey. */
export const sampleOf = (report: Pick<Report, 'totals' | 'compareTotals'>): number | null =>
  report.compareTotals === null ? null : Math.min(report.totals.visits ?? 0, report.compareTotals.visits ?? 0);

/** Measures of the chart: the chosen ones, or the screen's default. */
export const visibleMeasures = (state: ReportState, own: readonly MeasureId[]): readonly MeasureId[] => (state.measures.length > 0 ? state.measures : own);

/** The query shared by figures and chart, so that one response serves both; `groups` are those of all measures shown. */
export const seriesQuery = (siteId: string, query: ReportQuery, groups: readonly MeasureGroup[] = []): ReportQuery & { siteId: string } => ({
  siteId,
  ...query,
  series: '1',
  ...withGroups(groups),
});
/** The query parameter for groups of measures; omitted without groups, so that equal queries are cached once. */
export const withGroups = (groups: readonly MeasureGroup[]): Pick<ReportQuery, 'with'> => (groups.length === 0 ? {} : { with: [...groups] });
