import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { ContentTable } from '@contract/tables/schemas';
import { useDebounced } from '@/lib/useDebounced';
import { FilterBuilder } from './FilterBuilder';
import type { FilterContext } from './FilterBuilder';
import { fromFilter, toFilter } from './filterModel';
import type { Group } from './filterModel';
import type { ActiveView } from './useActiveView';
import { same } from './viewState';

/** The builder keeps incomplete conditions while it is open; the list is refetched after a pause in typing. */
export const FilterPanel = ({
  table,
  activeView,
  context,
  initialFilter,
}: {
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly context: FilterContext;
  readonly initialFilter: Group | null;
}): ReactElement => {
  const [draft, setDraft] = useState<Group>(() => initialFilter ?? fromFilter(activeView.query.filter));
  const debouncedDraft = useDebounced(draft, 350);
  const put = useEffectEvent((next: Group) => {
    const filter = toFilter(next);
    if (!same(filter, activeView.query.filter)) activeView.change({ filter }, 'replace');
  });
  useEffect(() => put(debouncedDraft), [debouncedDraft]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const leave = useEffectEvent(() => put(latest.current));
  useEffect(() => () => leave(), []);
  return <FilterBuilder draft={draft} table={table} context={context} onChange={setDraft} />;
};
