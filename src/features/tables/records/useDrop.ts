import { useEffect, useState } from 'react';

/** What is dragged within a table: a record. */
export const dragType = 'application/x-record';

/**
 * A place where a record may be let go. The element listens by itself: it is no control, and what can be done with the mouse here can be done with keys at the
 * record. `over`: it is above it now.
 */
export function useDrop(enabled: boolean, onDrop: (data: string) => void): { readonly ref: (element: HTMLElement | null) => void; readonly over: boolean } {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!element || !enabled) return undefined;
    const above = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes(dragType) !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = () => setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      const data = event.dataTransfer?.getData(dragType) ?? '';
      if (data === '') return;
      event.preventDefault();
      onDrop(data);
    };
    element.addEventListener('dragover', above);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', drop);
    return () => {
      element.removeEventListener('dragover', above);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', drop);
    };
  }, [element, enabled, onDrop]);
  return { ref, over };
}
