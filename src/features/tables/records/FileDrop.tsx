import { useRef, useState } from 'react';
import type { DragEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isPicture } from './isPicture';

const holdsFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Where something was dropped, in the window. */
export type DropPlace = { readonly x: number; readonly y: number; readonly target: Element | null };
/** Whether the files will be added to records rather than imported. */
const areAdded = (event: DragEvent): boolean => {
  const files = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
  return files.length > 1 || (files.length > 0 && files.every(isPicture));
};

/** A drop zone around the records: pictures are added to them, another file is imported. */
export const FileDrop = ({
  kind,
  table,
  onFiles,
  children,
}: {
  readonly kind: string;
  readonly table: string;
  /** null: records may not be written. */ readonly onFiles: ((files: readonly File[], place: DropPlace) => void) | null;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const [over, setOver] = useState<'import' | 'add' | null>(null);
  // Moving from one child to another fires leave events without leaving the zone.
  const depth = useRef(0);
  const end = (): void => {
    depth.current = 0;
    setOver(null);
  };
  return (
    <div
      className="tables-body"
      data-kind={kind}
      {...(onFiles && {
        onDragEnter: (event: DragEvent) => {
          if (!holdsFile(event)) return;
          depth.current += 1;
          setOver(areAdded(event) ? 'add' : 'import');
        },
        onDragOver: (event: DragEvent) => {
          if (holdsFile(event)) event.preventDefault();
        },
        onDragLeave: (event: DragEvent) => {
          if (!holdsFile(event)) return;
          depth.current -= 1;
          if (depth.current <= 0) end();
        },
        onDrop: (event: DragEvent) => {
          if (!holdsFile(event)) return;
          event.preventDefault();
          end();
          const files = [...event.dataTransfer.files];
          const { clientX: x, clientY: y, target } = event;
          if (files.length > 0) onFiles(files, { x, y, target: target instanceof Element ? target : null });
        },
      })}
    >
      {children}
      {over !== null && (
        <div className="tables-drop" role="status">
          {t(over === 'add' ? 'tool.dropPictures' : 'tool.dropFile', { table })}
        </div>
      )}
    </div>
  );
};
