import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { CompositionEvent, FormEvent, RefObject } from 'react';
import type { ColumnLayout } from './columns';
import { isEmpty, mayWrite, sameValue, writeTo } from './gestures';
import { at, moved, tabbed } from './selection';
import type { Bounds, Cell, Selection } from './selection';
import type { CellEditorProps, GridColumn, GridProps, GridRow } from './types';
import type { GridWords } from './useGridWords';
import type { Chosen } from './useSelection';

/** What is edited. `typed` opened it by typing: then arrows leave the cell, as in spreadsheets. `waiting`: an input method still composes what will open the panel. */
export type Editing = {
  readonly kind: 'text' | 'panel' | 'waiting';
  readonly cell: Cell;
  readonly row: GridRow;
  readonly index: number;
  readonly column: GridColumn;
  readonly typed: string | null;
};
const type = (field: HTMLTextAreaElement | null, text: string): void => {
  if (!field) return;
  field.value = text;
  field.setSelectionRange(text.length, text.length);
};
type Leave = Parameters<CellEditorProps['onDone']>[0];

/**
 * Editing in place. The field with the focus (`catcher`) is always there and lies over the active cell, so that the first letter, or the first stroke of an
 * input method, is typed into it and nothing is lost on the way.
 */
export function useEditing(
  catcher: RefObject<HTMLTextAreaElement | null>,
  props: GridProps,
  layout: ColumnLayout,
  bounds: Bounds,
  chosen: Chosen,
  words: GridWords,
  go: (next: Selection) => void,
) {
  const { onWrite, onNotice, onOpen } = props;
  const composing = useRef(false);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** What the panel holds at the moment. */
  const draft = useRef<{ value: unknown; fault: string | undefined } | null>(null);

  const focus = (): void => catcher.current?.focus({ preventScroll: true });
  const reset = (): void => {
    type(catcher.current, '');
    draft.current = null;
    setEditing(null);
    setFault(null);
  };
  /** The cell that an edit would begin in; says why if it cannot. */
  const place = (cell: Cell | undefined): Omit<Editing, 'kind' | 'typed'> | null => {
    const column = cell && layout.all[cell.col]?.column;
    const index = cell ? chosen.indexOf(cell.line) : null;
    const row = cell && chosen.rowOn(cell.line);
    if (!cell || !column || index === null || !row) return null;
    if (column.edit === 'record' || (onWrite && mayWrite(column, row))) return { cell, row, index, column };
    if (onWrite) onNotice?.(words.t('readOnly'));
    return null;
  };
  const send = (edit: Editing, value: unknown, how: 'edit' | 'toggle'): void => {
    if (sameValue(edit.row.values[edit.column.id] ?? null, value)) return;
    onWrite?.([writeTo(edit.row, edit.index, edit.column, value)], how);
  };

  const begin = (typed: string | null, cell = chosen.selection?.anchor): void => {
    const found = place(cell);
    if (!found) {
      type(catcher.current, '');
      return;
    }
    if (found.column.edit === 'record') {
      type(catcher.current, '');
      return onOpen?.(found.row, found.index, found.column.id);
    }
    if (found.column.edit === 'toggle') {
      type(catcher.current, '');
      return typed === null ? send({ ...found, kind: 'text', typed }, found.row.values[found.column.id] !== true, 'toggle') : undefined;
    }
    setFault(null);
    draft.current = null;
    if (found.column.edit === 'text') {
      const field = catcher.current;
      if (typed === null && field) {
        const value = found.row.values[found.column.id];
        type(field, isEmpty(value) ? '' : found.column.toText(value, found.row));
      }
      setEditing({ ...found, kind: 'text', typed });
      return focus();
    }
    if (composing.current) return setEditing({ ...found, kind: 'waiting', typed });
    type(catcher.current, '');
    setEditing({ ...found, kind: 'panel', typed });
  };

  const leave = (edit: Editing, way: Leave): void => {
    focus();
    if (way === undefined || way === 'stay') return;
    const { cell } = edit;
    const next = way === 'right' || way === 'left' ? tabbed(cell, way === 'left', bounds) : moved(cell, way, bounds, false);
    if (next) go(at(next));
  };
  /** Keeps what was typed. false: it cannot be kept; it stays open with the reason. */
  const commit = (way: Leave = 'stay', now?: { readonly value: unknown }): boolean => {
    const edit = editing;
    if (!edit) return true;
    if (edit.kind === 'text') {
      const text = catcher.current?.value ?? '';
      const value = edit.row.values[edit.column.id];
      const before = isEmpty(value) ? '' : edit.column.toText(value, edit.row);
      if (text !== before) {
        const read = text.trim() === '' ? { value: null } : (edit.column.parse?.(text) ?? { value: text });
        if ('fault' in read) {
          setFault(read.fault);
          focus();
          return false;
        }
        send(edit, read.value, 'edit');
      }
    } else if (now) send(edit, now.value, 'edit');
    else if (draft.current) {
      if (draft.current.fault !== undefined) {
        setFault(draft.current.fault);
        return false;
      }
      send(edit, draft.current.value, 'edit');
    }
    reset();
    leave(edit, way);
    return true;
  };
  const cancel = (): void => {
    reset();
    focus();
  };

  const onInput = (event: FormEvent<HTMLTextAreaElement>): void => {
    if (editing) {
      if (fault !== null) setFault(null);
      return;
    }
    const typed = event.currentTarget.value;
    if (typed !== '') begin(typed);
  };
  const onCompositionStart = (): void => {
    composing.current = true;
    if (!editing) begin('');
  };
  const onCompositionEnd = (event: CompositionEvent<HTMLTextAreaElement>): void => {
    composing.current = false;
    const field = event.currentTarget;
    if (editing?.kind === 'waiting') {
      const typed = field.value;
      type(field, '');
      setEditing(typed === '' ? null : { ...editing, kind: 'panel', typed });
    } else if (!editing) type(field, '');
  };

  // Leaving the screen in the middle of a word keeps the word.
  const keep = useEffectEvent(() => void commit());
  // Before the field is gone: a layout effect's end runs while it still has its text.
  useLayoutEffect(
    () => () => {
      keep();
    },
    [],
  );
  return {
    editing,
    fault,
    focus,
    begin,
    commit,
    cancel,
    onInput,
    onCompositionStart,
    onCompositionEnd,
    onDraft: (value: unknown, why?: string): void => {
      draft.current = { value, fault: why };
      if (fault !== null && why === undefined) setFault(null);
    },
  };
}
export type EditState = ReturnType<typeof useEditing>;
