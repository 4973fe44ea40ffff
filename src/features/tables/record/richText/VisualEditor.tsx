import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { EditorContent, useEditor } from '@tiptap/react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ariaOf } from '../../fieldTypes/editorProps';
import type { EditorProps } from '../../fieldTypes/editorProps';
import { useFieldEnv } from '../../fieldTypes/env';
import { useFileUploads } from '../../fieldTypes/files/useFileUploads';
import { documentOf, htmlOf } from './documentHtml';
import { extensions } from './extensions';
import { LinkForm } from './LinkForm';
import { pasteHtml } from './paste';
import { PictureForm, insertPictures } from './PictureForm';
import { pictureView } from './pictureView';
import { Toolbar } from './Toolbar';

/**
 * Takes over what the browser has selected. ProseMirror reads the selection in an event after the key,
 * so a shortcut pressed right after Shift+Arrow would act on the selection before it.
 */
function readSelection({ view }: Editor): void {
  const selection = document.getSelection();
  if (!selection?.anchorNode || !selection.focusNode || !view.dom.contains(selection.anchorNode) || !view.dom.contains(selection.focusNode)) return;
  const anchor = view.posAtDOM(selection.anchorNode, selection.anchorOffset);
  const head = view.posAtDOM(selection.focusNode, selection.focusOffset);
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))));
}

const picturesIn = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

const textOf = (attributes: object): Record<string, string> => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

/** A WYSIWYG editor of rich text. `onHtml` receives the HTML to store after every change; null for an empty text. */
export const VisualEditor = ({
  html,
  onHtml,
  onSource,
  ...props
}: EditorProps & { readonly html: string; readonly onHtml: (html: string | null) => void; readonly onSource: () => void }): ReactElement => {
  const [openForm, setOpenForm] = useState<'link' | 'picture' | null>(null);
  const { siteId } = useFieldEnv();
  const { waiting, error, upload } = useFileUploads(siteId ?? '');
  const { t } = useTranslation('tableFields');
  const addFiles = (into: Editor, files: readonly File[], at?: number): void => upload(files, (resources) => insertPictures(into, resources, at));
  const bar = useRef<HTMLDivElement>(null);
  const [content] = useState(() => documentOf(html).toJSON() as object);
  const editor = useEditor({
    extensions,
    content,
    injectCSS: false,
    enableInputRules: false,
    enablePasteRules: false,
    onUpdate: ({ editor: now }) => onHtml(htmlOf(now.state.doc)),
    editorProps: {
      attributes: {
        ...textOf(ariaOf(props)),
        class: 'rec-rich rec-prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'data-placeholder': html === '' ? (props.field.options.placeholder ?? '') : '',
      },
      nodeViews: { image: pictureView(siteId) },
      handleDOMEvents: {
        paste: (view, event) => {
          const files = picturesIn(event.clipboardData);
          // Office programs put a picture of the copied text beside the text.
          if (siteId === null || files.length === 0 || event.clipboardData?.getData('text/plain') !== '') return pasteHtml(view, event);
          event.preventDefault();
          // The record's own drop zones must not take them, too.
          event.stopPropagation();
          addFiles(editor, files);
          return true;
        },
        drop: (view, event) => {
          event.preventDefault();
          const files = picturesIn(event.dataTransfer);
          if (siteId === null || files.length === 0) return true;
          event.stopPropagation();
          addFiles(editor, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
          return true;
        },
      },
    },
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      // The console's search has the same shortcut.
      event.stopPropagation();
      readSelection(editor);
      setOpenForm('link');
    } else if (event.altKey && event.key === 'F10') {
      event.preventDefault();
      bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    }
  };
  return (
    <div className="rec-text">
      <Toolbar
        editor={editor}
        bar={bar}
        onLink={() => setOpenForm('link')}
        onPicture={siteId === null ? null : () => setOpenForm(openForm === 'picture' ? null : 'picture')}
        onSource={onSource}
      />
      {openForm === 'link' && <LinkForm editor={editor} onClose={() => setOpenForm(null)} />}
      {openForm === 'picture' && siteId !== null && (
        <PictureForm editor={editor} siteId={siteId} onFiles={(files) => addFiles(editor, files)} onClose={() => setOpenForm(null)} />
      )}
      <EditorContent editor={editor} onKeyDown={onKeyDown} />
      {(waiting > 0 || error !== null) && (
        <p className="f-note" role="status">
          {waiting > 0 ? t('files.uploading', { count: waiting }) : error}
        </p>
      )}
    </div>
  );
};
