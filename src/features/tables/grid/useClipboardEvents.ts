import { useEffect, useEffectEvent } from 'react';
import type { ClipboardEvent } from 'react';
import type { GridModel } from './gridModel';
import type { EditState } from './useEditing';
import type { Writes } from './useWrites';

const before = ['beforecopy', 'beforecut', 'beforepaste'] as const;
const fields = 'input, textarea, select, [contenteditable="true"], dialog, [role="dialog"]';

/** Handles the browser's copy, cut and paste events, in the focused field and, while the list is empty, on the whole page. */
export function useClipboardEvents({ props, keyField }: GridModel, edit: EditState, writes: Writes) {
  // Safari uses these events to decide whether its clipboard commands are enabled while no text is selected.
  useEffect(() => {
    const field = keyField.current;
    const allow = (event: Event): void => event.preventDefault();
    for (const name of before) field?.addEventListener(name, allow);
    return () => {
      for (const name of before) field?.removeEventListener(name, allow);
    };
  }, [keyField]);

  // An empty list has no cell to press: a paste anywhere on the page goes to the list.
  const pastePage = useEffectEvent((event: globalThis.ClipboardEvent): void => {
    const isElsewhere = event.defaultPrevented || (event.target instanceof Element && event.target.closest(fields) !== null);
    if (!isElsewhere) writes.paste(event.clipboardData);
  });
  const takesPagePaste = props.source.count() === 0 && props.onPaste !== undefined && props.onAddRow !== undefined;
  useEffect(() => {
    if (!takesPagePaste) return;
    const onPaste = (event: globalThis.ClipboardEvent): void => pastePage(event);
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [takesPagePaste]);

  return (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    if (edit.editing) return;
    event.preventDefault();
    // Programs that copy cells also offer a picture of them.
    if (event.type === 'paste' && event.clipboardData.getData('text/plain') === '' && event.clipboardData.files.length > 0)
      props.onPasteFiles?.([...event.clipboardData.files]);
    else if (event.type === 'paste') writes.paste(event.clipboardData);
    else if (event.type === 'copy' || props.onWrite) writes.copy(event.clipboardData, event.type === 'cut');
  };
}
