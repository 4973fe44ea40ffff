import type { Report } from '@contract/analytics/schemas';
import { type ReactElement, useState } from 'react';
import { type ExplainedFigure, ExplainPopover } from './ExplainPopover';
import type { ReportState } from './urlState';

export type Explaining = { readonly ask: (figure: ExplainedFigure) => void; readonly answer: (report: Report) => ReactElement | null };

/** The explanation of a figure of one block: `ask` opens it, `answer` renders it with the report of the figures. */
export const useExplain = (siteId: string, state: ReportState): Explaining => {
  const [figure, setFigure] = useState<ExplainedFigure | null>(null);
  return {
    ask: setFigure,
    answer: (report) =>
      figure === null ? null : <ExplainPopover figure={figure} report={report} state={state} siteId={siteId} onClose={() => setFigure(null)} />,
  };
};
