import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { EditorContent, useEditor } from '@tiptap/react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { ariaOf } from '../../fieldTypes/editorProps';
import type { EditorProps } from '../../fieldTypes/editorProps';
import { documentOf, htmlOf } from './documentHtml';
import { extensions } from './extensions';
import { LinkForm } from './LinkForm';
import { pasteHtml } from './paste';
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

const textOf = (attributes: object): Record<string, string> => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

/** A WYSIWYG editor of rich text. `onHtml` receives the HTML to store after every change; null for an empty text. */
export const VisualEditor = ({
  html,
  onHtml,
  onSource,
  ...props
}: EditorProps & { readonly html: string; readonly onHtml: (html: string | null) => void; readonly onSource: () => void }): ReactElement => {
  const [isLinking, setIsLinking] = useState(false);
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
      handleDOMEvents: {
        paste: pasteHtml,
        drop: (_view, event) => {
          event.preventDefault();
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
      setIsLinking(true);
    } else if (event.altKey && event.key === 'F10') {
      event.preventDefault();
      bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    }
  };
  return (
    <div className="rec-text">
      <Toolbar editor={editor} bar={bar} onLink={() => setIsLinking(true)} onSource={onSource} />
      {isLinking && <LinkForm editor={editor} onClose={() => setIsLinking(false)} />}
      <EditorContent editor={editor} onKeyDown={onKeyDown} />
    </div>
  );
};
