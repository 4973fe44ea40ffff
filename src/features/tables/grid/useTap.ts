import { useRef } from 'react';
import type { MouseEvent } from 'react';
import { hitTest } from './hitTest';
import { sameCell, singleCell } from './selection';
import type { Cell } from './selection';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';

/** Maximum ms between the taps of a double tap. */
const doubleTapMs = 350;

/** Clicks on cells: toggles switch, a tap selects and a double tap edits, a mouse edits with a double click. */
export function useTap({ setSelection }: SelectionState, edit: EditState) {
  const last = useRef<{ cell: Cell; time: number } | null>(null);

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const { displayIndex, col } = hitTest(target);
    if (displayIndex === null || col === null) return;
    const cell = { displayIndex, col };
    if (target.closest('[data-toggle]')) {
      setSelection(singleCell(cell));
      return edit.begin(null, cell);
    }
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    if (target.closest('button, input, a') || !isTouch) return;
    const time = performance.now();
    const isSecond = last.current !== null && sameCell(last.current.cell, cell) && time - last.current.time < doubleTapMs;
    last.current = { cell, time };
    if (isSecond) return edit.begin(null, cell);
    if (!edit.commit()) return;
    setSelection(singleCell(cell));
    edit.focus();
  };
  const onDoubleClick = (event: MouseEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('button, input, a') || edit.editing) return;
    const { displayIndex, col } = hitTest(target);
    if (displayIndex !== null && col !== null) edit.begin(null);
  };
  return { onClick, onDoubleClick };
}
