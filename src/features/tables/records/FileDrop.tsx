import { useRef, useState } from 'react';
import type { DragEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const holdsFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** A drop zone around the records: a dropped file is imported. */
export const FileDrop = ({
  kind,
  table,
  onFile,
  children,
}: {
  readonly kind: string;
  readonly table: string;
  /** null: records may not be written. */ readonly onFile: ((file: File) => void) | null;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const [over, setOver] = useState(false);
  // Moving from one child to another fires leave events without leaving the zone.
  const depth = useRef(0);
  const end = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <div
      className="tables-body"
      data-kind={kind}
      {...(onFile && {
        onDragEnter: (event: DragEvent) => {
          if (!holdsFile(event)) return;
          depth.current += 1;
          setOver(true);
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
          const [file] = event.dataTransfer.files;
          if (file) onFile(file);
        },
      })}
    >
      {children}
      {over && (
        <div className="tables-drop" role="status">
          {t('tool.dropFile', { table })}
        </div>
      )}
    </div>
  );
};
