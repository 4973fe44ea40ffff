import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { withMessages } from '@/i18n';
import type { Props } from './RightsLines';

// The words of rights are another screen's.
const Lines = lazy(() => withMessages(import(/* webpackChunkName: "table-rights-lines" */ './RightsLines'), ['tableAdmin']));

/** Rights that changed, in words, line by line. */
export const RightsChange = (props: Props): ReactElement => (
  <Suspense fallback={null}>
    <Lines {...props} />
  </Suspense>
);
