import type { Report } from '@contract/analytics/schemas';
import { type ReactElement, Suspense, useState } from 'react';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import type { ExplainedFigure } from './ExplainPopover';
import type { ReportState } from './urlState';

const ExplainPopover = lazyWithRetry(() => import(/* webpackChunkName: "explain" */ './ExplainPopover'));

export type Explaining = { readonly open: (figure: ExplainedFigure) => void; readonly render: (report: Report) => ReactElement | null };

/** The explanation of a figure of one block: `open` opens it, `render` renders it with the report of the figures. */
export const useExplain = (siteId: string, state: ReportState): Explaining => {
  const [figure, setFigure] = useState<ExplainedFigure | null>(null);
  return {
    open: setFigure,
    render: (report) =>
      figure === null ? null : (
        <Suspense fallback={null}>
          <ExplainPopover figure={figure} report={report} state={state} siteId={siteId} onClose={() => setFigure(null)} />
        </Suspense>
      ),
  };
};
