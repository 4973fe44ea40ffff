import type { Report } from '@contract/analytics/schemas';
import { type ReactElement, useState } from 'react';
import { type Asked, ExplainPopover } from './ExplainPopover';
import type { ReportState } from './urlState';

/** The explanation of a figure of one block: `ask` opens it, `answer` renders it with the report of the figures. */
export const useExplain = (
  siteId: string,
  state: ReportState,
): { readonly ask: (asked: Asked) => void; readonly answer: (report: Report) => ReactElement | null } => {
  const [asked, setAsked] = useState<Asked | null>(null);
  return {
    ask: setAsked,
    answer: (report) => (asked === null ? null : <ExplainPopover asked={asked} report={report} state={state} siteId={siteId} onClose={() => setAsked(null)} />),
  };
};
