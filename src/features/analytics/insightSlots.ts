import type { Report } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { type ComponentType, lazy, type LazyExoticComponent, type ReactElement, type ReactNode } from 'react';
import { ensureMessages } from '@/i18n';
import type { ChartNote } from '@/ui/chart/types';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';

/** Selects, saves and manages segments; the active ones are `state.segment`. */
export type SegmentMenuProps = { readonly site: Site; readonly state: ReportState; readonly change: Change };
/** Loads the annotations in a report's range: gives the chart its flags and, beside its tools, a way to add one. */
export type AnnotationMarksProps = {
  readonly site: Site;
  readonly report: Report;
  readonly children: (notes: readonly ChartNote[], tools: ReactNode) => ReactElement;
};

/** A part with its messages. */
const withMessages = async <T>(part: Promise<T>): Promise<T> => {
  await ensureMessages(['insights', 'form']);
  return part;
};

/** Segments and annotations of report screens, each a lazy part. */
export const insightSlots: {
  readonly SegmentMenu?: LazyExoticComponent<ComponentType<SegmentMenuProps>>;
  readonly AnnotationMarks?: LazyExoticComponent<ComponentType<AnnotationMarksProps>>;
} = {
  SegmentMenu: lazy(() => withMessages(import(/* webpackChunkName: "insight-slots" */ './insights/SegmentMenu'))),
  AnnotationMarks: lazy(() => withMessages(import(/* webpackChunkName: "insight-slots" */ './insights/AnnotationMarks'))),
};
