import { useEffect, useEffectEvent, useState } from 'react';
import { droppedFiles, pickedFiles } from './pickedFiles';
import type { PickedFile } from './pickedFiles';

const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;
const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea'));

/** Files dropped anywhere on the page, or pasted. Returns whether files are being dragged over the page. */
export function useFileSources(enabled: boolean, onFiles: (files: readonly PickedFile[]) => void): boolean {
  const [over, setOver] = useState(false);
  const add = useEffectEvent(onFiles);
  useEffect(() => {
    if (!enabled) return undefined;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    };
    // Leaving the window has no related target; moving between elements has one.
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then((files) => add(files));
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (isTextInput(event.target) || !hasFiles(event.clipboardData)) return;
      event.preventDefault();
      add(pickedFiles(event.clipboardData.files));
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
      removeEventListener('paste', onPaste);
    };
  }, [enabled]);
  return over;
}
