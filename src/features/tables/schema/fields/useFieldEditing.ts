import { useMemo, useState } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import type { AppDispatch } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { useAddFieldMutation, useChangeFieldMutation } from '@/features/tables/parts/designApi';
import { tablesApi } from '@/features/tables/tablesApi';
import { notifyFieldAdded } from './fieldUndo';
import type { FieldPlace } from './fieldUndo';
import { useErrorAt } from './editing';
import type { Editing, FieldErrors } from './editing';
import { changeOf, draftOf, inputOf, newDraft, differingParts, withoutChoice } from './fieldDraft';
import type { FieldDraft } from './fieldDraft';

export type FieldOfTable = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  /** null: a new field of `type`. */ readonly field: TableField | null;
  readonly type: FieldType;
  /** Name of the new field, where it was typed before its type was chosen. */ readonly title?: string;
  readonly mayDesign: boolean;
};

/** The draft of a field: its base, the input, and the copy that the tab keeps until it is saved or discarded. */
function useStoredDraft({ table, field, type, title = '' }: Pick<FieldOfTable, 'table' | 'field' | 'type' | 'title'>) {
  const stored = useDraft<{ base: FieldDraft; draft: FieldDraft }>(`field:${table.id}:${field?.id ?? `new:${type}`}`);
  const latest = useMemo(() => (field ? draftOf(field, table) : { ...newDraft(type), title }), [field, table, type, title]);
  const [base, setBase] = useState(stored.restored?.base ?? latest);
  const [draft, setDraft] = useState(stored.restored ? { ...stored.restored.draft, ...(title === '' ? {} : { title }) } : latest);
  const [restored, setRestored] = useState(stored.restored !== undefined);
  const myParts = differingParts(base, draft);
  const dirty = myParts.length > 0 || draft.inverseTitle !== '';
  // While there are no unsaved changes, changes of others are simply shown.
  if (field && !dirty && base !== latest && !restored) {
    setBase(latest);
    setDraft(latest);
  }
  return {
    latest,
    base,
    draft,
    restored,
    dirty,
    /** Parts that somebody else has changed meanwhile, too. */
    conflicts: field && dirty ? differingParts(base, latest).filter((part) => myParts.includes(part)) : [],
    change: (next: FieldDraft): void => {
      setDraft(next);
      stored.keep({ base, draft: next });
    },
    begin: (from: FieldDraft): void => {
      stored.drop();
      setBase(from);
      setDraft(from);
      setRestored(false);
    },
    /** A choice that the server has removed disappears from both sides, so that it does not count as a change of this draft. */
    removeChoice: (id: string): void => {
      const next = { base: withoutChoice(base, id), draft: withoutChoice(draft, id) };
      setBase(next.base);
      setDraft(next.draft);
      if (dirty) stored.keep(next);
    },
  };
}

/** Notifies that a field was saved; a new one can be undone. */
function notifySaved(dispatch: AppDispatch, place: FieldPlace, name: string, isNew: boolean): void {
  if (isNew) notifyFieldAdded(dispatch, place, name);
  else dispatch(noticeShown({ tone: 'good', message: { key: 'tableDesign:edit.saved', values: { name } } }));
}

/** Editing of a field: its draft, the server's errors, and saving, which sends only the changed parts. */
export function useFieldEditing({ onAdded, ...of }: FieldOfTable & { readonly onAdded: (id: string, table: ContentTable) => void }) {
  const { site, table, field } = of;
  const dispatch = useAppDispatch();
  const stored = useStoredDraft(of);
  const { base, draft, latest, conflicts } = stored;
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [stale, setStale] = useState(false);
  /** The other user's version that has been shown beside the draft: only that version may be overwritten. */
  const [acknowledged, setAcknowledged] = useState<FieldDraft | null>(null);
  const [add, adding] = useAddFieldMutation();
  const [change, changing] = useChangeFieldMutation();
  const errorAt = useErrorAt(fieldErrors);
  const set = (part: Partial<FieldDraft>) => {
    stored.change({ ...draft, ...part });
    setFieldErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !Object.keys(part).some((name) => path === name || path.startsWith(`${name}.`)))),
    );
  };
  const begin = (from: FieldDraft) => {
    stored.begin(from);
    setFieldErrors({});
    setFailure(null);
    setStale(false);
  };
  const showSaved = (saved: ContentTable): void => {
    const known = new Set(table.fields.map(({ id }) => id));
    const savedField = saved.fields.find(({ id }) => (field ? id === field.id : !known.has(id)));
    if (!savedField) return;
    notifySaved(dispatch, { siteId: site.id, table: table.id, field: savedField.id }, savedField.title, field === null);
    begin(draftOf(savedField, saved));
    if (!field) onAdded(savedField.id, saved);
  };
  const showFailure = (error: ApiFailure): void => {
    if (isStale(error)) {
      setStale(true);
      dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
    } else if (error.fields && Object.keys(error.fields).length > 0) setFieldErrors(error.fields);
    else if (error.code === 'name_taken') setFieldErrors({ key: { code: 'taken' } });
    else setFailure(error);
  };
  const save = async () => {
    setFieldErrors({});
    setFailure(null);
    // While the notice is shown, it lists everything that both have changed so far.
    if (conflicts.length > 0 && acknowledged !== latest && !stale) {
      setAcknowledged(latest);
      setStale(true);
      return;
    }
    const at = { siteId: site.id, table: table.id };
    const { data, error } = field
      ? await change({ ...at, field: field.id, revision: table.revision, body: changeOf(base, draft) })
      : await add({ ...at, body: inputOf(draft) });
    if (data) showSaved(data);
    else if (isFailure(error)) showFailure(error);
  };
  const editing: Editing = {
    site,
    tables: of.tables,
    table,
    field,
    draft,
    mayDesign: of.mayDesign,
    set,
    setOption: (part) => set({ options: { ...draft.options, ...part } }),
    choiceGone: stored.removeChoice,
    errorAt,
  };
  return {
    editing,
    fieldErrors,
    failure,
    stale,
    conflicts,
    restored: stored.restored,
    dirty: stored.dirty,
    busy: adding.isLoading || changing.isLoading,
    save,
    discard: () => begin(latest),
  };
}
