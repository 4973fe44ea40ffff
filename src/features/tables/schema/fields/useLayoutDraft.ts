import { useMemo, useState } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, FormLayout } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { AppDispatch } from '@/store';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useChangeTableMutation } from '@/features/tables/parts/designApi';
import { same } from '@/features/tables/records/viewState';
import { tablesApi } from '@/features/tables/tablesApi';
import type { FieldErrors } from './editing';
import { draftOf, layoutFrom } from './layoutDraft';
import type { LayoutDraft } from './layoutDraft';
import { mergedLayout } from './layoutMerge';
import type { Merge } from './layoutMerge';

/** Maximum number of undo steps. */
const mostPast = 50;
type StoredDraft = { readonly base: FormLayout | null; readonly draft: LayoutDraft };
/** A draft with the layout that it is based on. `touched`: it was changed here, so layouts saved by others do not replace it. */
type State = StoredDraft & { readonly touched: boolean };

/** The draft of a layout with its undo steps; the tab keeps it until it is saved or discarded. */
function useDraftHistory(table: ContentTable) {
  const stored = useDraft<StoredDraft>(`layout:${table.id}`);
  const latest = useMemo(() => draftOf(table), [table]);
  const [restored, setRestored] = useState(stored.restored !== undefined);
  const [state, setState] = useState<State>(stored.restored ? { ...stored.restored, touched: true } : { base: table.layout, draft: latest, touched: false });
  const [past, setPast] = useState<readonly { readonly draft: LayoutDraft; readonly tag: string }[]>([]);
  const { base, draft, touched } = state;
  // While there are no changes here, layouts saved by others are simply shown.
  if (!touched && (draft !== latest || base !== table.layout)) setState({ base: table.layout, draft: latest, touched });
  const store = (next: StoredDraft): void => {
    setState({ ...next, touched: true });
    stored.keep(next);
  };
  return {
    base,
    draft,
    latest,
    touched,
    restored,
    canUndo: past.length > 0,
    start: (next: StoredDraft): void => {
      stored.drop();
      setState({ ...next, touched: false });
      setRestored(false);
      setPast([]);
    },
    /** Consecutive changes with the same `tag` form one undo step, such as the characters of a title. `onto`: the layout that the draft is now based on. */
    change: (next: LayoutDraft, tag: string, onto = base): void => {
      if (tag === '' || past.at(-1)?.tag !== tag) setPast([...past.slice(1 - mostPast), { draft, tag }]);
      store({ base: onto, draft: next });
    },
    undo: (): boolean => {
      const last = past.at(-1);
      if (!last) return false;
      setPast(past.slice(0, -1));
      store({ base, draft: last.draft });
      return true;
    },
    /** Bases the draft on `onto`. */
    rebase: (onto: FormLayout | null): void => store({ base: onto, draft }),
  };
}

/**
 * The layout of a table while it is designed. Once it has been changed here, a layout saved by somebody else is shown beside it (`merge`) before either is
 * overwritten.
 */
export function useLayoutDraft(site: Site, table: ContentTable) {
  const dispatch = useAppDispatch();
  const history = useDraftHistory(table);
  const { base, draft, latest, touched } = history;
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [send, { isLoading: busy }] = useChangeTableMutation();
  const clearErrors = (): void => {
    setFieldErrors({});
    setFailure(null);
  };
  const start = (next: StoredDraft): void => {
    history.start(next);
    clearErrors();
  };
  const mine = layoutFrom(draft, table);
  const dirty = touched && !same(mine, layoutFrom(latest, table));
  const merge = dirty && !same(base, table.layout) ? mergeOf(table, base, mine) : null;
  const change = (next: LayoutDraft, tag = ''): void => {
    if (next === draft) return;
    history.change(next, tag);
    clearErrors();
  };
  const put = async (layout: FormLayout | null, revision: number, again: boolean): Promise<boolean> => {
    clearErrors();
    const { data, error } = await send({ siteId: site.id, table: table.id, revision, body: { layout } });
    if (data) {
      start({ draft: draftOf(data), base: data.layout });
      dispatch(noticeShown({ tone: 'good', message: { key: `tableDesign:layout.${layout ? 'saved' : 'wasReset'}`, values: { name: table.title } } }));
      return true;
    }
    if (!isFailure(error)) return false;
    if (isStale(error)) {
      const now = error.current as ContentTable | undefined;
      if (now) showTable(dispatch, site.id, now);
      dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
      // Other people's changes elsewhere in the table are no conflict; a changed layout is.
      if (again && now && same(now.layout, base)) return put(layout && layoutFrom(draft, now), now.revision, false);
      if (!again || !now) setFailure(error);
    } else if (error.fields && Object.keys(error.fields).length > 0) setFieldErrors(error.fields);
    else setFailure(error);
    return false;
  };
  return {
    draft,
    layout: mine,
    dirty,
    busy,
    restored: history.restored && dirty,
    /** Differences from a layout that somebody else has saved meanwhile; null: none. */ merge,
    fieldErrors,
    failure,
    canUndo: history.canUndo,
    change,
    undo: (): boolean => {
      const undone = history.undo();
      if (undone) clearErrors();
      return undone;
    },
    save: () => put(mine, table.revision, true),
    reset: () => put(null, table.revision, true),
    discard: () => start({ draft: latest, base: table.layout }),
    /** Keeps this layout: the next save overwrites the one that somebody else saved. */
    keepMine: () => history.rebase(table.layout),
    /** Combines the changes of both: saved like any change, and undone in one step. */
    takeBoth: () => {
      if (!merge?.merged) return;
      history.change(draftOf({ layout: merge.merged, fields: table.fields }), '', table.layout);
      clearErrors();
    },
    refuse: setFieldErrors,
  };
}

/** Differences between this layout and the saved one; a form without a layout counts as one section with all fields. */
function mergeOf(table: ContentTable, base: FormLayout | null, mine: FormLayout): Merge {
  const arranged = (layout: FormLayout | null): FormLayout => layoutFrom(draftOf({ layout, fields: table.fields }), table);
  return mergedLayout(
    arranged(base),
    mine,
    arranged(table.layout),
    table.fields.map(({ id }) => id),
  );
}

/** Updates a table in the cached list with the server's response. */
function showTable(dispatch: AppDispatch, siteId: string, now: ContentTable): void {
  dispatch(
    tablesApi.util.updateQueryData('tables', { siteId }, (list) => {
      const at = list.findIndex(({ id }) => id === now.id);
      if (at >= 0) list[at] = now;
    }),
  );
}
