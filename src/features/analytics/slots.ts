import type { Report } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { type ComponentType, lazy, type LazyExoticComponent, type ReactElement, type ReactNode } from 'react';
import { ensureMessages } from '@/i18n';
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

/** A part with its words. */
const withWords = async <T>(part: Promise<T>): Promise<T> => {
  await ensureMessages(['insights', 'form']);
  return part;
};

/** What segments and annotations add to report screens, each in a part of its own. */
export const slots: {
  readonly SegmentMenu?: LazyExoticComponent<ComponentType<SegmentMenuProps>>;
  readonly AnnotationMarks?: LazyExoticComponent<ComponentType<AnnotationMarksProps>>;
} = {
  SegmentMenu: lazy(() => withWords(import(/* webpackChunkName: "insight-slots" */ './insights/SegmentMenu'))),
  AnnotationMarks: lazy(() => withWords(import(/* webpackChunkName: "insight-slots" */ './insights/AnnotationMarks'))),
};
