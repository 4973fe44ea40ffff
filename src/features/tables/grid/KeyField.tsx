import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { cellId } from './Row';
import { headHeight } from './displayRows';
import type { GridModel } from './gridModel';
import { singleCell } from './selection';
import { useClipboardEvents } from './useClipboardEvents';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';
import type { CellBox, Size } from './viewport';
import type { Writes } from './useWrites';

/** Places the field over the active cell, where input methods open their list; while nothing is edited, within the visible part. */
function placeField(field: HTMLElement, box: CellBox, size: Size, isEditing: boolean): { readonly left: number; readonly top: number } {
  const top = isEditing ? box.top : Math.max(headHeight, Math.min(box.top, size.height - box.height));
  const left = isEditing ? box.left : Math.max(0, Math.min(box.left, size.width - 20));
  field.style.transform = `translate(${String(left)}px, ${String(top)}px)`;
  field.style.minWidth = `${String(box.width + 1)}px`;
  field.style.minHeight = `${String(box.height + 1)}px`;
  return { left, top };
}

/** Places the bubble below its cell, or above where there is no space below. */
function placeBubble(bubble: HTMLElement, { left, top, height }: Omit<CellBox, 'width'>, size: Size): void {
  const below = top + height + 6;
  bubble.style.left = `${String(Math.max(8, Math.min(left, size.width - bubble.offsetWidth - 8)))}px`;
  bubble.style.top = `${String(below + bubble.offsetHeight > size.height ? top - bubble.offsetHeight - 6 : below)}px`;
}

/** Keeps field and bubble at the active cell, after every render and while the list scrolls. */
function usePlacement({ viewport, keyField }: GridModel, { selection }: SelectionState, edit: EditState, size: Size, bubble: RefObject<HTMLElement | null>) {
  const place = useEffectEvent(() => {
    const box = selection && viewport.boxOf(edit.editing?.cell ?? selection.anchor);
    if (!keyField.current || !box) return;
    const at = placeField(keyField.current, box, size, edit.editing !== null);
    if (bubble.current) placeBubble(bubble.current, { ...at, height: box.height }, size);
  });
  useLayoutEffect(() => place());
  const { onScroll } = viewport;
  useEffect(() => onScroll(() => place()), [onScroll]);
}

type Props = {
  readonly model: GridModel;
  readonly selectionState: SelectionState;
  readonly edit: EditState;
  readonly writes: Writes;
  readonly size: Size;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
};

/** The focused field: it handles the keys, receives what is typed into the active cell, and shows why it is invalid. */
export const KeyField = ({ model, selectionState, edit, writes, size, onKeyDown }: Props) => {
  const { id, props, labels, displayRows, layout, viewport, keyField } = model;
  const { selection, setSelection, row } = selectionState;
  const bubble = useRef<HTMLDivElement>(null);
  const onClipboard = useClipboardEvents(model, edit, writes);
  usePlacement(model, selectionState, edit, size, bubble);
  const column = selection && layout.all[selection.anchor.col]?.column;
  const isTyping = edit.editing?.kind === 'text' || edit.editing?.kind === 'waiting';
  const mark = row && column ? row.marks?.[column.id] : undefined;
  return (
    <>
      <textarea
        ref={keyField}
        rows={1}
        className={isTyping ? `g-catcher g-typing${column?.align === 'right' ? ' g-right' : ''}` : 'g-catcher'}
        aria-label={isTyping && column ? column.title : props.label}
        aria-describedby={edit.error === null ? `${id}-hint` : `${id}-error`}
        aria-controls={id}
        aria-invalid={edit.error !== null}
        {...(selection && !isTyping ? { 'aria-activedescendant': cellId(id, selection.anchor.displayIndex, selection.anchor.col) } : {})}
        autoComplete="off"
        spellCheck={false}
        // Phones show their keyboard only while a cell is edited.
        inputMode={isTyping ? (column?.inputMode ?? 'text') : 'none'}
        onKeyDown={onKeyDown}
        onInput={edit.onInput}
        onCompositionStart={edit.onCompositionStart}
        onCompositionEnd={edit.onCompositionEnd}
        onCopy={onClipboard}
        onCut={onClipboard}
        onPaste={onClipboard}
        onFocus={() => {
          // Focused by Tab, the grid selects a cell; a press has already selected one at this point.
          if (displayRows.count > 0) setSelection((before) => before ?? singleCell({ displayIndex: viewport.firstVisible(), col: 0 }));
        }}
        onBlur={() => {
          if (edit.editing?.kind === 'text') edit.commit('stay');
        }}
      />
      {edit.error !== null && edit.editing?.kind === 'text' && (
        <div ref={bubble} id={`${id}-error`} role="alert" className="g-bubble">
          {edit.error}
        </div>
      )}
      {edit.editing === null && mark?.error !== undefined && (
        <div ref={bubble} className="g-bubble g-quiet">
          {mark.error}
        </div>
      )}
      <p id={`${id}-hint`} className="only-read">
        {labels.t('hint')}
      </p>
    </>
  );
};
