import type { Report } from '@contract/analytics/schemas';
import { type ReactElement, useState } from 'react';
import { type ExplainedFigure, ExplainPopover } from './ExplainPopover';
import type { ReportState } from './urlState';

export type Explaining = { readonly open: (figure: ExplainedFigure) => void; readonly render: (report: Report) => ReactElement | null };

/** The explanation of a figure of one block: `open` opens it, `render` renders it with the report of the figures. */
export const useExplain = (siteId: string, state: ReportState): Explaining => {
  const [figure, setFigure] = useState<ExplainedFigure | null>(null);
  return {
    open: setFigure,
    render: (report) =>
      figure === null ? null : <ExplainPopover figure={figure} report={report} state={state} siteId={siteId} onClose={() => setFigure(null)} />,
  };
};
