import { useState } from 'react';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import type { ViewKind } from '@contract/tables/terms';
import type { Address, ChangeAddress } from './address';
import { keepDraft, plainQuery, readDraft, effectiveQuery, toAddress, toDraft } from './viewState';
import type { Draft, ViewChange } from './viewState';

/** The active view: a saved view or none, with its unsaved changes. */
export type ActiveView = {
  readonly view: RecordView | null;
  readonly kind: ViewKind;
  readonly query: ViewQuery;
  readonly changed: boolean;
  readonly change: (change: ViewChange, how?: 'push' | 'replace') => void;
  readonly reset: () => void;
  /** How a change of the view would change the URL; to be combined with other changes. */
  readonly addressOf: (change: ViewChange) => Partial<Address>;
};

export function useActiveView(table: ContentTable, views: readonly RecordView[], at: Address, changeAddress: ChangeAddress): ActiveView {
  const view = views.find(({ id }) => id === at.view) ?? null;
  const saved = view?.query ?? plainQuery;
  const name = `${table.id} ${view?.id ?? ''} ${String(view?.revision ?? 0)}`;
  const [namedDraft, setNamedDraft] = useState<{ name: string; draft: Draft }>(() => ({ name, draft: readDraft(table, view) }));
  let { draft } = namedDraft;
  if (namedDraft.name !== name) {
    draft = toDraft(saved, readDraft(table, view), {});
    setNamedDraft({ name, draft });
  }
  const keep = (next: Draft): void => {
    keepDraft(table, view, next);
    setNamedDraft({ name, draft: next });
  };
  return {
    view,
    kind: view?.kind ?? 'grid',
    query: effectiveQuery(saved, draft, at),
    // Without a saved view, a personal arrangement is not an unsaved change.
    changed: at.filter !== '' || at.sort !== '' || at.group !== '' || (view !== null && Object.keys(draft).length > 0),
    change: (change, how = 'push') => {
      const next = toDraft(saved, draft, change);
      if (Object.keys(next).length > 0 || Object.keys(draft).length > 0) keep(next);
      const address = toAddress(saved, change);
      if (Object.keys(address).length > 0) changeAddress(address, how);
    },
    addressOf: (change) => toAddress(saved, change),
    reset: () => {
      if (view) keep({});
      changeAddress({ filter: '', sort: '', group: '' });
    },
  };
}
