import { useState } from 'react';
import { supportLimits } from '@contract/support/terms';

/** Conversations chosen for one action. `scope`: a change of the list or search clears them. */
export function useSelected(scope: string) {
  const [state, setState] = useState<{ readonly scope: string; readonly ids: readonly string[] }>({ scope, ids: [] });
  const ids = state.scope === scope ? state.ids : [];
  return {
    ids,
    toggle(id: string): void {
      setState({ scope, ids: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(-supportLimits.bulk) });
    },
    clear: (): void => setState({ scope, ids: [] }),
  };
}
