import { useMemo, useState } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, FormLayout } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useChangeTableMutation } from '../parts/designApi';
import { same } from '../records/viewState';
import { tablesApi } from '../tablesApi';
import type { Faults } from './editing';
import { draftOf, layoutFrom } from './layoutDraft';
import type { LayoutDraft } from './layoutDraft';
import { mergedLayout } from './layoutMerge';
import type { Merge } from './layoutMerge';

/** Changes that can be undone, at most. */
const mostPast = 50;
type Kept = { readonly base: FormLayout | null; readonly draft: LayoutDraft };

/**
 * The layout of a table while it is designed: kept as a draft of the tab until it is saved or thrown away, undone change by change. While nothing is changed it
 * follows what others save; after that their layout and this one stand beside each other (`theirs`) before either is lost.
 */
export function useLayoutDraft(site: Site, table: ContentTable) {
  const dispatch = useAppDispatch();
  const kept = useDraft<Kept>(`layout:${table.id}`);
  const latest = useMemo(() => draftOf(table), [table]);
  const [base, setBase] = useState(kept.restored ? kept.restored.base : table.layout);
  const [draft, setDraft] = useState(kept.restored?.draft ?? latest);
  const [touched, setTouched] = useState(kept.restored !== undefined);
  const [restored, setRestored] = useState(kept.restored !== undefined);
  const [past, setPast] = useState<readonly { readonly draft: LayoutDraft; readonly tag: string }[]>([]);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [send, { isLoading: busy }] = useChangeTableMutation();

  const start = (from: LayoutDraft, layout: FormLayout | null): void => {
    kept.drop();
    setDraft(from);
    setBase(layout);
    setTouched(false);
    setRestored(false);
    setPast([]);
    setFaults({});
    setFailure(null);
  };
  // Nothing was changed here: what others save is simply shown.
  if (!touched && (draft !== latest || base !== table.layout)) {
    setDraft(latest);
    setBase(table.layout);
  }
  const mine = layoutFrom(draft, table);
  const dirty = touched && !same(mine, layoutFrom(latest, table));
  const clash = dirty && !same(base, table.layout);
  // A form that was never arranged stands for all fields one under the other.
  const shaped = (layout: FormLayout | null): FormLayout => layoutFrom(draftOf({ layout, fields: table.fields }), table);
  const merge: Merge | null = clash
    ? mergedLayout(
        shaped(base),
        mine,
        shaped(table.layout),
        table.fields.map(({ id }) => id),
      )
    : null;

  const hold = (next: LayoutDraft): void => {
    setDraft(next);
    setTouched(true);
    setFaults({});
    setFailure(null);
    kept.keep({ base, draft: next });
  };
  /** Changes of the same `tag` that follow each other are one to be undone, such as the letters of a title. */
  const change = (next: LayoutDraft, tag = ''): void => {
    if (next === draft) return;
    if (tag === '' || past.at(-1)?.tag !== tag) setPast([...past.slice(1 - mostPast), { draft, tag }]);
    hold(next);
  };
  const undo = (): boolean => {
    const last = past.at(-1);
    if (!last) return false;
    setPast(past.slice(0, -1));
    hold(last.draft);
    return true;
  };

  const put = async (layout: FormLayout | null, revision: number, again: boolean): Promise<boolean> => {
    setFaults({});
    setFailure(null);
    const { data, error } = await send({ siteId: site.id, table: table.id, revision, body: { layout } });
    if (data) {
      start(draftOf(data), data.layout);
      dispatch(noticeShown({ tone: 'good', words: { key: `tableDesign:layout.${layout ? 'saved' : 'wasReset'}`, values: { name: table.title } } }));
      return true;
    }
    if (!isFailure(error)) return false;
    if (isStale(error)) {
      const now = error.current as ContentTable | undefined;
      dispatch(
        tablesApi.util.updateQueryData('tables', { siteId: site.id }, (list) => {
          const at = list.findIndex(({ id }) => id === table.id);
          if (at >= 0 && now) list[at] = now;
        }),
      );
      dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
      // What others changed elsewhere in the table is no question; their layout is, and is asked about.
      if (again && now && same(now.layout, base)) return put(layout && layoutFrom(draft, now), now.revision, false);
      if (!again || !now) setFailure(error);
    } else if (error.fields && Object.keys(error.fields).length > 0) setFaults(error.fields);
    else setFailure(error);
    return false;
  };
  return {
    draft,
    layout: mine,
    dirty,
    busy,
    restored: restored && dirty,
    /** Somebody else has saved a layout meanwhile: how theirs and this one differ. */ merge,
    faults,
    failure,
    canUndo: past.length > 0,
    change,
    undo,
    save: () => put(mine, table.revision, true),
    reset: () => put(null, table.revision, true),
    discard: () => start(latest, table.layout),
    /** After somebody else has saved a layout: this one goes over theirs at the next save. */
    keepMine: () => {
      setBase(table.layout);
      kept.keep({ base: table.layout, draft });
    },
    /** The changes of both: saved like any change, and undone as one. */
    takeBoth: () => {
      if (!merge?.merged) return;
      const both = draftOf({ layout: merge.merged, fields: table.fields });
      change(both);
      setBase(table.layout);
      kept.keep({ base: table.layout, draft: both });
    },
    refuse: setFaults,
  };
}
export type LayoutWork = ReturnType<typeof useLayoutDraft>;
