import { useRef, useState } from 'react';
import type { DragEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const holdsFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Where records are shown: a file that is dropped on them is brought in. */
export const FileDrop = ({
  kind,
  table,
  onFile,
  children,
}: {
  readonly kind: string;
  readonly table: string;
  /** null: nothing may be written. */ readonly onFile: ((file: File) => void) | null;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const [over, setOver] = useState(false);
  // Leaving one child for another is not leaving.
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
