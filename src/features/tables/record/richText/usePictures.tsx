import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldEnv } from '../../fieldTypes/env';
import { useFileUploads } from '../../fieldTypes/files/useFileUploads';
import { extensionsWith } from './extensions';
import { insertPictures } from './PictureForm';
import { pictureView } from './pictureView';

const picturesIn = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

/** Pictures that are pasted or dropped into a text: stored as resources, then inserted. `siteId` null: they cannot be stored here. */
export function usePictures() {
  const { siteId } = useFieldEnv();
  const { t } = useTranslation('tableFields');
  const [extensions] = useState(() => extensionsWith(pictureView(siteId)));
  const { waiting, error, upload } = useFileUploads(siteId ?? '');
  const add = (editor: Editor, files: readonly File[], at?: number): void => upload(files, (resources) => insertPictures(editor, resources, at));
  /** Whether there were pictures, which the drop zones around the text must not take, too. */
  const take = (editor: Editor, event: Event, data: DataTransfer | null, at?: number): boolean => {
    const files = picturesIn(data);
    if (siteId === null || files.length === 0) return false;
    event.preventDefault();
    event.stopPropagation();
    add(editor, files, at);
    return true;
  };
  return {
    siteId,
    extensions,
    add,
    /** Office programs put a picture of the copied text beside the text, which is what counts then. */
    paste: (editor: Editor, event: ClipboardEvent): boolean => event.clipboardData?.getData('text/plain') === '' && take(editor, event, event.clipboardData),
    drop: (editor: Editor, event: DragEvent, at?: number): boolean => take(editor, event, event.dataTransfer, at),
    note:
      waiting > 0 || error !== null ? (
        <p className="f-note" role="status">
          {waiting > 0 ? t('files.uploading', { count: waiting }) : error}
        </p>
      ) : null,
  };
}
