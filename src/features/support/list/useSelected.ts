import { useState } from 'react';
import type { Conversation } from '@contract/support/conversations';
import { supportLimits } from '@contract/support/terms';

type Selected = { readonly id: string; /** Its counter when it was selected: everything up to it was on the screen. */ readonly version: number };

/** Conversations chosen for one action, as long as they are among `rows`. `scope`: a change of the list or search clears them. */
export function useSelected(scope: string, rows: readonly Conversation[]) {
  const [state, setState] = useState<{ readonly scope: string; readonly chosen: readonly Selected[] }>({ scope, chosen: [] });
  const chosen = state.scope === scope ? state.chosen.filter((one) => rows.some(({ id }) => id === one.id)) : [];
  const ids = chosen.map(({ id }) => id);
  return {
    ids,
    /** By conversation. */
    readSeqs: Object.fromEntries(chosen.map(({ id, version }) => [id, version])),
    toggle(id: string): void {
      const version = rows.find((row) => row.id === id)?.version ?? 0;
      const next = ids.includes(id) ? chosen.filter((one) => one.id !== id) : [...chosen, { id, version }].slice(-supportLimits.bulk);
      setState({ scope, chosen: next });
    },
    clear: (): void => setState({ scope, chosen: [] }),
  };
}
