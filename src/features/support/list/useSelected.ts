import { useState } from 'react';
import type { Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';

/** Conversations chosen for one action, as long as they are among `rows`. `scope`: a change of the list or search clears them. */
export function useSelected(scope: string, rows: readonly Conversation[]) {
  const [state, setState] = useState<{ readonly scope: string; readonly ids: readonly string[] }>({ scope, ids: [] });
  const ids = state.scope === scope ? state.ids.filter((one) => rows.some(({ id }) => id === one)) : [];
  return {
    ids,
    toggle(id: string): void {
      setState({ scope, ids: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(-supportLimits.bulk) });
    },
    clear: (): void => setState({ scope, ids: [] }),
  };
}
