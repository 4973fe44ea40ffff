import { useRef, useState } from 'react';
import type { ChangeEvent, DragEvent, RefObject } from 'react';

export type FileDrop = {
  /** Files are being dragged over the drop zone. */
  readonly over: boolean;
  /** Props of the drop zone. */
  readonly place: { readonly onDragOver: (event: DragEvent) => void; readonly onDragLeave: () => void; readonly onDrop: (event: DragEvent) => void };
  /** Props of the hidden input behind its button, which `choose` opens; the same file can be chosen again. */
  readonly input: {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly type: 'file';
    readonly hidden: true;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  readonly choose: () => void;
};

/** A drop zone that is also usable with the keyboard. `onFiles` receives the files in the browser's order, never an empty list. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const ref = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(files);
  };
  return {
    over,
    place: {
      onDragOver: (event) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      },
    },
    input: {
      ref,
      type: 'file',
      hidden: true,
      onChange: (event) => {
        take(event.target.files);
        event.target.value = '';
      },
    },
    choose: () => ref.current?.click(),
  };
}
