import { useEffectEvent, useLayoutEffect } from 'react';
import type { CompositionEvent, FormEvent } from 'react';
import { sameValue, writeTo } from './cellValues';
import type { GridModel } from './gridModel';
import { moveCell, nextTabCell, singleCell } from './selection';
import type { Selection } from './selection';
import type { CellEditorProps } from './types';
import { cellText, useBeginEdit } from './useBeginEdit';
import { useEditState } from './useEditState';
import type { Editing, EditStore } from './useEditState';
import type { SelectionState } from './useSelection';

type Leave = Parameters<CellEditorProps['onDone']>[0];
/** The result of an edit: a value to write, the reason why it is invalid, or nothing. */
type Outcome = { readonly value: unknown } | { readonly error: string } | null;

/** The result of the text typed into a cell. */
function typedOutcome({ row, column }: Editing, text: string): Outcome {
  if (text === cellText(row, column)) return null;
  const parsed = text.trim() === '' ? { value: null } : (column.parse?.(text) ?? { value: text });
  return 'error' in parsed ? { error: parsed.error } : parsed;
}
const panelOutcome = (draft: ReturnType<EditStore['draft']>): Outcome => draft && (draft.error === undefined ? { value: draft.value } : { error: draft.error });

/** Input handlers of the focused field: the first character, or the first keystroke of an input method, opens the editor. */
function inputHandlers({ editing, error, setEditing, setError, setText, setComposing }: EditStore, begin: (typed: string) => void) {
  return {
    onInput: (event: FormEvent<HTMLTextAreaElement>): void => {
      const typed = event.currentTarget.value;
      if (!editing) return typed === '' ? undefined : begin(typed);
      if (error !== null) setError(null);
    },
    onCompositionStart: (): void => {
      setComposing(true);
      if (!editing) begin('');
    },
    onCompositionEnd: (event: CompositionEvent<HTMLTextAreaElement>): void => {
      setComposing(false);
      const typed = event.currentTarget.value;
      if (editing?.kind === 'waiting') {
        setText('');
        setEditing(typed === '' ? null : { ...editing, kind: 'panel', typed });
      } else if (!editing) setText('');
    },
  };
}

/**
 * Editing in place. The focused field is always mounted over the active cell, so that it receives the first character, or the first keystroke of an input
 * method, and no input is lost.
 */
export function useEditing(
  model: Pick<GridModel, 'props' | 'labels' | 'layout' | 'bounds' | 'keyField'>,
  selectionState: SelectionState,
  select: (next: Selection) => void,
) {
  const store = useEditState(model.keyField);
  const { editing, error, setError, focus, reset } = store;

  const send = ({ row, index, column }: Omit<Editing, 'kind' | 'typed'>, value: unknown, how: 'edit' | 'toggle'): void => {
    if (!sameValue(row.values[column.id] ?? null, value)) model.props.onWrite?.([writeTo(row, index, column, value)], how);
  };
  const begin = useBeginEdit(model, selectionState, store, send);

  const leave = ({ cell }: Editing, way: Leave): void => {
    focus();
    if (way === undefined || way === 'stay') return;
    const next = way === 'right' || way === 'left' ? nextTabCell(cell, way === 'left', model.bounds) : moveCell(cell, way, model.bounds, false);
    if (next) select(singleCell(next));
  };
  /** Commits what was typed. false: it is invalid, and the editor stays open with the reason. */
  const commit = (way: Leave = 'stay', changed?: { readonly value: unknown }): boolean => {
    if (!editing) return true;
    const outcome = editing.kind === 'text' ? typedOutcome(editing, store.text()) : (changed ?? panelOutcome(store.draft()));
    if (outcome && 'error' in outcome) {
      setError(outcome.error);
      if (editing.kind === 'text') focus();
      return false;
    }
    if (outcome) send(editing, outcome.value, 'edit');
    reset();
    leave(editing, way);
    return true;
  };

  const commitOnLeave = useEffectEvent(() => void commit());
  // The cleanup of a layout effect runs while the field still has its text.
  useLayoutEffect(() => () => commitOnLeave(), []);
  return {
    editing,
    error,
    focus,
    begin,
    commit,
    cancel: (): void => {
      reset();
      focus();
    },
    ...inputHandlers(store, begin),
    onDraft: (value: unknown, reason?: string): void => {
      store.setDraft({ value, error: reason });
      if (error !== null && reason === undefined) setError(null);
    },
  };
}
export type EditState = ReturnType<typeof useEditing>;
