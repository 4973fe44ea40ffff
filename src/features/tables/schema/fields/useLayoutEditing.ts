import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useConfirm } from '@/ui/confirmContext';
import { partMoved, putField, stepped, untitledParts, withPart, withoutPart, zonesOf } from './layoutDraft';
import type { DraftPart, LayoutDraft } from './layoutDraft';
import { targetAt } from './layoutTarget';
import type { Target } from './layoutTarget';
import { useDragged } from './useDragged';
import { useLayoutDraft } from './useLayoutDraft';

const undoButton = '[data-layout-undo]';
const gripOf = (field: TableField): string => `[data-layout-grip="${field.id}"]`;
const titleInputOf = (uid: number | undefined): string => `[data-layout-title="${String(uid)}"] input`;

/** Focuses the element that `focusNext` names in the container, after the next render has added it. */
function useFocusAfterRender() {
  const container = useRef<HTMLDivElement>(null);
  const selector = useRef<string | null>(null);
  useEffect(() => {
    if (selector.current === null) return;
    container.current?.querySelector<HTMLElement>(selector.current)?.focus();
    selector.current = null;
  });
  const focusNext = (next: string): void => {
    selector.current = next;
  };
  return { container, focusNext };
}

/** Calls `onUndo` for Ctrl+Z or ⌘Z, except in text inputs, which have their own undo, and in dialogs. */
function useUndoKey(onUndo: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z') return;
    if (event.target instanceof HTMLElement && event.target.closest('input:not([type="checkbox"]), textarea, [contenteditable], [role="dialog"]')) return;
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** All changes that the layout designer makes to its draft, with the screen reader announcements and focus moves that follow. */
export function useLayoutEditing(site: Site, table: ContentTable) {
  const { t } = useTranslation('tableDesign');
  const confirm = useConfirm();
  const work = useLayoutDraft(site, table);
  const { draft, change } = work;
  const [announcement, setAnnouncement] = useState('');
  const { container, focusNext } = useFocusAfterRender();
  const titleOf = (part: DraftPart): string => part.title.trim() || t('layout.untitled');

  const announceMove = (next: LayoutDraft, field: TableField): void => {
    const [zone, ids] = zonesOf(next, table).find(([, some]) => some.includes(field.id)) ?? ['rest', []];
    const part = next.parts.find(({ uid }) => zone === `p:${uid}`);
    setAnnouncement(
      part
        ? t('layout.moved', { name: field.title, section: titleOf(part), at: ids.indexOf(field.id) + 1 })
        : t('layout.movedTo', { name: field.title, section: t(zone === 'hidden' ? 'layout.hidden' : 'layout.rest') }),
    );
  };
  const arrange = (next: LayoutDraft, field: TableField): void => {
    if (next === draft) return;
    change(next);
    announceMove(next, field);
  };
  /** Like `arrange`, for a control that is a different element once its field is in another list. */
  const arrangeFromGrip = (next: LayoutDraft, field: TableField): void => {
    focusNext(gripOf(field));
    arrange(next, field);
  };
  const undo = (): void => {
    if (work.undo()) setAnnouncement(t('layout.undone'));
  };
  useUndoKey(undo);
  const drag = useDragged<Target>(targetAt, (id, { zone, before }) => {
    const field = table.fields.find((one) => one.id === id);
    if (field) arrange(putField(draft, id, zone, before), field);
  });
  return {
    work,
    container,
    announcement,
    drag,
    undo,
    step: (field: TableField, by: -1 | 1): void => arrangeFromGrip(stepped(draft, table, field.id, by), field),
    hide: (field: TableField): void => arrangeFromGrip(putField(draft, field.id, 'hidden', null), field),
    show: (field: TableField): void => {
      const last = draft.parts.at(-1);
      if (last) arrangeFromGrip(putField(draft, field.id, `p:${last.uid}`, null), field);
      else focusNext(gripOf(field));
    },
    moveSection: (part: DraftPart, at: number, by: -1 | 1): void => {
      change(partMoved(draft, part.uid, by));
      setAnnouncement(t('layout.sectionMoved', { name: titleOf(part), at: at + by + 1 }));
    },
    /** Removes a section; its button disappears too, so the focus moves to Undo. */
    removeSection: (part: DraftPart): void => {
      focusNext(undoButton);
      change(withoutPart(draft, part.uid));
    },
    addSection: (): void => {
      const next = withPart(draft, t('layout.newTitle'));
      focusNext(titleInputOf(next.parts.at(-1)?.uid));
      change(next);
    },
    merge: (): void => {
      work.takeBoth();
      setAnnouncement(t('layout.merged'));
      focusNext(undoButton);
    },
    /** Saves, unless a required section title is missing. */
    save: (): void => {
      const untitled = untitledParts(draft);
      const first = untitled[0];
      if (first) {
        work.refuse(Object.fromEntries(untitled.map(({ at }) => [`layout.sections.${String(at)}.title`, { code: 'required' as const }])));
        focusNext(titleInputOf(first.part.uid));
      } else if (!work.busy) void work.save();
    },
    reset: async (): Promise<void> => {
      if (await confirm({ title: t('layout.resetTitle'), body: t('layout.resetText'), confirm: t('layout.reset'), danger: true })) await work.reset();
    },
  };
}
/** What the parts of the designer receive. */
export type LayoutEditing = Omit<ReturnType<typeof useLayoutEditing>, 'container'>;
