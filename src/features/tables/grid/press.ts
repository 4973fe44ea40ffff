import type { PointerEvent } from 'react';
import type { Drag } from './drag';
import type { GridModel } from './gridModel';
import type { Hit } from './hitTest';
import { activeRange, selectBand, selectCell, singleCell, within } from './selection';
import type { Selection } from './selection';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';
import type { TouchHold } from './useTouchHold';

type Context = {
  readonly edit: EditState;
  readonly hold: TouchHold;
  readonly start: (drag: Drag, event: { clientX: number; clientY: number; pointerId: number }) => void;
};
const modifiers = (event: PointerEvent) => ({ shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey });

/** Handlers of presses by part of the grid: what each selects, and which drag it starts. */
export function pressHandlers({ props, layout, bounds }: GridModel, { selection, setSelection, indexOf }: SelectionState, { edit, hold, start }: Context) {
  const select = (next: Selection): void => {
    setSelection(next);
    edit.focus();
  };
  const columnHead = (event: PointerEvent, { area, col }: Hit): void => {
    const placed = col === null ? undefined : layout.all[col];
    if (!placed || event.button !== 0) return;
    const { column, at, width } = placed;
    if (area === 'columnEdge') return start({ kind: 'width', id: column.id, x: event.clientX, from: width, width }, event);
    if (event.pointerType === 'touch') {
      const { clientX, clientY, pointerId } = event;
      return hold.begin(() => {
        hold.setHeld({ x: clientX, y: clientY });
        select(selectBand(selection, 'col', at, bounds, { shift: false, ctrl: false }));
        start({ kind: 'column', id: column.id, x: clientX, before: null }, { clientX, clientY, pointerId });
      });
    }
    const keys = modifiers(event);
    select(selectBand(selection, 'col', at, bounds, keys));
    if (props.onMoveColumn && !keys.shift && !keys.ctrl) start({ kind: 'column', id: column.id, x: event.clientX, before: null }, event);
    else start({ kind: 'columnHeads' }, event);
  };
  const rowHead = (event: PointerEvent, area: Hit['area'], displayIndex: number): void => {
    const isLeft = event.button === 0;
    const range = selection && activeRange(selection);
    const isInRange = range !== null && displayIndex >= range.top && displayIndex <= range.bottom;
    const index = indexOf(displayIndex);
    if (area === 'rowGrip' && index !== null && isLeft) {
      const whole = isInRange && range.left === 0 && range.right === bounds.cols - 1 ? range : { top: displayIndex, bottom: displayIndex };
      const [from, to] = [indexOf(whole.top), indexOf(whole.bottom)];
      return start({ kind: 'rows', from: from ?? index, to: (to ?? index) + 1, before: displayIndex }, event);
    }
    if (!isLeft && isInRange) return;
    select(selectBand(selection, 'displayIndex', displayIndex, bounds, modifiers(event)));
    if (isLeft) start({ kind: 'rowHeads' }, event);
  };
  const cellPress = (event: PointerEvent, displayIndex: number, col: number, isLink: boolean): void => {
    const cell = { displayIndex, col };
    if (event.pointerType === 'touch') {
      const { clientX, clientY, pointerId } = event;
      return hold.begin(() => {
        hold.setHeld({ x: clientX, y: clientY });
        select(singleCell(cell));
        start({ kind: 'cells' }, { clientX, clientY, pointerId });
      });
    }
    if (event.button !== 0) {
      if (!selection || !within(activeRange(selection), cell)) select(singleCell(cell));
      return;
    }
    select(selectCell(selection, cell, modifiers(event)));
    if (!isLink) start({ kind: 'cells' }, event);
  };
  return { columnHead, rowHead, cell: cellPress };
}
