import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { withMessages } from '@/i18n';
import type { Props } from './RuleChangeList';

// The messages about permissions belong to another screen.
const Lines = lazy(() => withMessages(import(/* webpackChunkName: "table-admin" */ './RuleChangeList'), ['tableAdmin']));

/** Changes of access rules as text, line by line. */
export const RuleChanges = (props: Props): ReactElement => (
  <Suspense fallback={null}>
    <Lines {...props} />
  </Suspense>
);
