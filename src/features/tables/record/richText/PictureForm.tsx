import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { aliasAddress } from '@contract/resources/alias';
import type { Resource } from '@contract/resources/schemas';
import { useFileDrop } from '@/ui/useFileDrop';
import { FilePicker } from '../../fieldTypes/files/lazyFilePicker';

/** Kinds of resources that are pictures. */
export const pictureKinds = ['image', 'svg'] as const;

/** Inserts pictures at the selection, or at a position. Their alternative text is that of the resource in each language until the text has its own. */
export function insertPictures(editor: Editor, resources: readonly Resource[], at?: number): void {
  const pictures = resources
    .filter(({ kind }) => kind === 'image' || kind === 'svg')
    .map((resource) => ({ type: 'image', attrs: { src: aliasAddress(resource), width: resource.width, height: resource.height } }));
  if (pictures.length > 0)
    editor
      .chain()
      .focus()
      .insertContentAt(at ?? editor.state.selection.to, pictures)
      .run();
}

type Props = {
  readonly editor: Editor;
  readonly siteId: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onClose: () => void;
};

/** Adds pictures to a text, or edits the alternative text of the selected one. */
export const PictureForm = ({ editor, siteId, onFiles, onClose }: Props): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { t: tFields } = useTranslation('tableFields');
  const { choose, input } = useFileDrop(onFiles);
  const [isPicking, setIsPicking] = useState(false);
  const alt = useEditorState({
    editor,
    selector: ({ editor: now }) => (now.isActive('image') ? { text: (now.getAttributes('image')['alt'] as string | null) ?? null } : null),
  });
  return (
    <div className="f-fields">
      {alt !== null && (
        <input
          type="text"
          maxLength={500}
          aria-label={t('text.pictureAlt')}
          placeholder={t('text.pictureAltOwn')}
          value={alt.text ?? ''}
          onChange={(event) => editor.commands.updateAttributes('image', { alt: event.currentTarget.value === '' ? null : event.currentTarget.value })}
        />
      )}
      <button type="button" className="f-plain" onClick={choose}>
        {tFields('files.upload')}
      </button>
      <input {...input} multiple accept="image/*" />
      <button type="button" className="f-plain" onClick={() => setIsPicking(true)}>
        {tFields('files.pick')}
      </button>
      <button type="button" className="f-plain" onClick={onClose}>
        {t('text.apply')}
      </button>
      {isPicking && (
        <Suspense fallback={null}>
          <FilePicker
            siteId={siteId}
            kinds={pictureKinds}
            several
            onClose={() => setIsPicking(false)}
            onChoose={(resources) => {
              setIsPicking(false);
              insertPictures(editor, resources);
            }}
          />
        </Suspense>
      )}
    </div>
  );
};
