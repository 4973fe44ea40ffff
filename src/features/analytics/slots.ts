import type { Report } from '@contract/analytics';
import type { Site } from '@contract/sites';
import type { ComponentType, LazyExoticComponent, ReactElement, ReactNode } from 'react';
import type { ChartNote } from '@/ui/chart/types';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';

/** Chooses, saves and manages segments; the chosen ones are `state.segment`. */
export type SegmentMenuProps = { readonly site: Site; readonly state: ReportState; readonly change: Change };
/** Knows what happened in the range of a report: gives the chart its flags and, beside its tools, the way to write one. */
export type AnnotationMarksProps = {
  readonly site: Site;
  readonly report: Report;
  readonly children: (notes: readonly ChartNote[], tools: ReactNode) => ReactElement;
};

/**
 * What segments and annotations add to report screens, each in a part of its own:
 * `SegmentMenu: lazy(() => import(/* webpackChunkName: "segments" *\/ './insights/SegmentMenu'))`.
 */
export const slots: {
  readonly SegmentMenu?: LazyExoticComponent<ComponentType<SegmentMenuProps>>;
  readonly AnnotationMarks?: LazyExoticComponent<ComponentType<AnnotationMarksProps>>;
} = {};
