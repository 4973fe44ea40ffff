import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { EditorContent, useEditor } from '@tiptap/react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { ariaOf } from '../../fieldTypes/editorProps';
import type { EditorProps } from '../../fieldTypes/editorProps';
import { documentOf, htmlOf } from './documentHtml';
import { LinkForm } from './LinkForm';
import { pasteHtml } from './paste';
import { PictureForm } from './PictureForm';
import { Toolbar } from './Toolbar';
import { usePictures } from './usePictures';

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

const textOf = (attributes: object): Record<string, string> => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

/** A WYSIWYG editor of rich text. `onHtml` receives the HTML to store after every change; null for an empty text. */
export const VisualEditor = ({
  html,
  onHtml,
  onSource,
  ...props
}: EditorProps & { readonly html: string; readonly onHtml: (html: string | null) => void; readonly onSource: () => void }): ReactElement => {
  const [openForm, setOpenForm] = useState<'link' | 'picture' | null>(null);
  const pictures = usePictures();
  const bar = useRef<HTMLDivElement>(null);
  const [content] = useState(() => documentOf(html).toJSON() as object);
  const editor = useEditor({
    extensions: pictures.extensions,
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
      handleDOMEvents: {
        paste: (view, event): boolean => pictures.paste(editor, event) || pasteHtml(view, event),
        drop: (view, event): boolean => {
          event.preventDefault();
          pictures.drop(editor, event, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
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
        onPicture={pictures.siteId === null ? null : () => setOpenForm(openForm === 'picture' ? null : 'picture')}
        onSource={onSource}
      />
      {openForm === 'link' && <LinkForm editor={editor} onClose={() => setOpenForm(null)} />}
      {openForm === 'picture' && pictures.siteId !== null && (
        <PictureForm editor={editor} siteId={pictures.siteId} onFiles={(files) => pictures.add(editor, files)} onClose={() => setOpenForm(null)} />
      )}
      <EditorContent editor={editor} onKeyDown={onKeyDown} />
      {pictures.note}
    </div>
  );
};
