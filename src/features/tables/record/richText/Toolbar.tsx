import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

type Tool = { readonly id: ToolId; readonly isOn?: (editor: Editor) => boolean; readonly run: (editor: Editor) => boolean; readonly shortcut?: string };
type ToolId = 'bold' | 'italic' | 'strike' | 'h2' | 'h3' | 'p' | 'ul' | 'ol' | 'quote';

const mark = (id: 'bold' | 'italic' | 'strike', shortcut?: string): Tool => ({
  id,
  isOn: (editor) => editor.isActive(id),
  run: (editor) => editor.chain().focus().toggleMark(id).run(),
  ...(shortcut === undefined ? {} : { shortcut }),
});
const heading = (id: 'h2' | 'h3', level: number): Tool => ({
  id,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (editor) => editor.chain().focus().toggleNode('heading', 'paragraph', { level }).run(),
});
const list = (id: 'ul' | 'ol', type: 'bulletList' | 'orderedList', shortcut: string): Tool => ({
  id,
  shortcut,
  isOn: (editor) => editor.isActive(type),
  run: (editor) => editor.chain().focus().toggleList(type, 'listItem').run(),
});
const tools: readonly Tool[] = [
  mark('bold', 'Control+B'),
  mark('italic', 'Control+I'),
  mark('strike'),
  heading('h2', 2),
  heading('h3', 3),
  { id: 'p', run: (editor) => editor.chain().focus().setNode('paragraph').run() },
  list('ul', 'bulletList', 'Control+Shift+8'),
  list('ol', 'orderedList', 'Control+Shift+7'),
  { id: 'quote', isOn: (editor) => editor.isActive('blockquote'), run: (editor) => editor.chain().focus().toggleWrap('blockquote').run() },
];

/** Roving focus: one button is in the tab order, arrow keys move between buttons, Escape returns to the text. */
function useRovingFocus(editor: Editor) {
  const [current, setCurrent] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      editor.commands.focus();
      return;
    }
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = buttons.at(next === buttons.length ? 0 : next);
    target?.focus();
  };
  const propsOf = (place: number) => ({ tabIndex: place === current ? 0 : -1, onFocus: () => setCurrent(place) });
  return { onKeyDown, propsOf };
}

/** The editor's toolbar. `onLink`, `onPicture` and `onSource` open the forms of links and pictures, and the source. */
export const Toolbar = ({
  editor,
  bar,
  onLink,
  onPicture,
  onSource,
}: {
  readonly editor: Editor;
  readonly bar: RefObject<HTMLDivElement | null>;
  readonly onLink: () => void;
  /** null: pictures cannot be stored here. */ readonly onPicture: (() => void) | null;
  readonly onSource: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { onKeyDown, propsOf } = useRovingFocus(editor);
  const active = useEditorState({ editor, selector: ({ editor: now }) => tools.map((tool) => tool.isOn?.(now) ?? false) });
  const isLink = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') });
  const isPicture = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('image') });
  const others = [
    { id: 'link', run: onLink, pressed: isLink, shortcut: 'Control+K' },
    ...(onPicture === null ? [] : [{ id: 'picture', run: onPicture, pressed: isPicture } as const]),
    { id: 'clear', run: () => void editor.chain().focus().unsetAllMarks().clearNodes().run() },
    { id: 'source', run: onSource },
  ] as const;
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus in turn
    <div ref={bar} className="rec-tools" role="toolbar" aria-label={t('text.toolbar')} onKeyDown={onKeyDown}>
      {tools.map((tool, place) => (
        <button
          key={tool.id}
          type="button"
          className={`rec-${tool.id}`}
          aria-label={t(`text.${tool.id}`)}
          title={t(`text.${tool.id}`)}
          {...(tool.isOn ? { 'aria-pressed': active[place] === true } : {})}
          aria-keyshortcuts={tool.shortcut}
          {...propsOf(place)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tool.run(editor)}
          data-sign={t(`text.signs.${tool.id}`)}
        />
      ))}
      {others.map((tool, place) => (
        <button
          key={tool.id}
          type="button"
          {...('pressed' in tool ? { 'aria-pressed': tool.pressed } : {})}
          {...('shortcut' in tool ? { 'aria-keyshortcuts': tool.shortcut } : {})}
          {...propsOf(tools.length + place)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={tool.run}
        >
          {t(`text.${tool.id}`)}
        </button>
      ))}
    </div>
  );
};
