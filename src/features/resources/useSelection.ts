import { useState } from 'react';
import { resourceLimits } from '@contract/resources/terms';

export type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects everything between the last toggled row and this one. */
  readonly extendTo: (id: string) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
};

/** Selected rows of a list, by click, range and keyboard; rows that are no longer listed are not selected. As many as one call can change. */
export function useSelection(rows: readonly { readonly id: string }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const ids = chosen.size === 0 ? chosen : new Set(rows.map(({ id }) => id).filter((id) => chosen.has(id)));
  const indexOf = (id: string | null): number => rows.findIndex((row) => row.id === id);
  const set = (next: Iterable<string>): void => setChosen(new Set([...next].slice(0, resourceLimits.bulk)));
  return {
    ids,
    toggle: (id) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      set(next);
      setAnchor(id);
    },
    extendTo: (id) => {
      const from = Math.max(0, indexOf(anchor));
      const to = indexOf(id);
      set([...ids, ...rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id)]);
    },
    selectAll: () => set(rows.map(({ id }) => id)),
    clear: () => setChosen(new Set()),
  };
}
