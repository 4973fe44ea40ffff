import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { Cell } from './selection';
import type { GridColumn, GridRow } from './types';

/**
 * The edited cell. `typed`: opened by typing; arrows then leave the cell, as in spreadsheets. `waiting`: an input method is still composing the text that will
 * open the panel.
 */
export type Editing = {
  readonly kind: 'text' | 'panel' | 'waiting';
  readonly cell: Cell;
  readonly row: GridRow;
  readonly index: number;
  readonly column: GridColumn;
  readonly typed: string | null;
};

type Draft = { readonly value: unknown; readonly error: string | undefined };

/** Sets the field's text, with the caret at its end. */
function setFieldText(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  field.value = text;
  field.setSelectionRange(text.length, text.length);
}

/** The edited cell, its error, and the draft of a panel. */
export function useEditState(keyField: RefObject<HTMLTextAreaElement | null>) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const [error, setError] = useState<string | null>(null);
  const draft = useRef<Draft | null>(null);
  const composing = useRef(false);

  const setText = (text: string): void => setFieldText(keyField.current, text);
  const setDraft = (next: Draft | null): void => {
    draft.current = next;
  };
  return {
    editing,
    setEditing,
    error,
    setError,
    draft: () => draft.current,
    setDraft,
    isComposing: () => composing.current,
    setComposing: (next: boolean): void => {
      composing.current = next;
    },
    focus: (): void => keyField.current?.focus({ preventScroll: true }),
    /** The text in the focused field. */
    text: () => keyField.current?.value ?? '',
    setText,
    reset: (): void => {
      setText('');
      setDraft(null);
      setEditing(null);
      setError(null);
    },
  };
}
export type EditStore = ReturnType<typeof useEditState>;
