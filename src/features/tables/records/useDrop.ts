import { useEffect, useState } from 'react';

/** Drag data type of a record within a table. */
export const dragType = 'application/x-record';

/**
 * A drop target for records. The element itself listens for the events: it is not a control, and the same action is available by keyboard at the record.
 * `over`: a record is above it.
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
