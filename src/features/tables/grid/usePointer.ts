import type { PointerEvent as ReactPointerEvent } from 'react';
import type { GridModel } from './gridModel';
import { hitTest } from './hitTest';
import { pressHandlers } from './press';
import { useDrag } from './useDrag';
import type { EditState } from './useEditing';
import type { Menus } from './useMenus';
import type { SelectionState } from './useSelection';
import { useTap } from './useTap';
import { useTouchHold } from './useTouchHold';
import type { Writes } from './useWrites';

/**
 * Mouse, pen and touch. A mouse selects while it is pressed. A finger scrolls, selects with a tap and edits with a double tap; a long press opens the menu of a
 * cell or column, selects cells or moves the column when the finger then moves, and checks a row at its head.
 */
export function usePointer(
  model: GridModel,
  selectionState: SelectionState,
  edit: EditState,
  writes: Writes,
  menus: Pick<Menus, 'openCell' | 'openColumnByKey'>,
) {
  const { props } = model;
  const { selection } = selectionState;
  const hold = useTouchHold();
  const { drag, start, pointer } = useDrag(model, selectionState, writes, (ended, completed, { x, y }) => {
    hold.cancel();
    if (!completed || !hold.isStillAt(x, y)) return false;
    if (ended?.kind === 'cells') menus.openCell(x, y);
    else if (ended?.kind === 'column') menus.openColumnByKey(model.layout.all.findIndex(({ column }) => column.id === ended.id));
    else return false;
    return true;
  });
  const tap = useTap(selectionState, edit);

  const press = pressHandlers(model, selectionState, { edit, hold, start });
  const tickRow = (displayIndex: number | null): void => {
    const row = displayIndex === null ? undefined : selectionState.rowOn(displayIndex);
    if (!row || !props.onCheck) return;
    hold.setHeld(pointer.place());
    props.onCheck([row.id], !(props.checkedAll === true || props.checked?.has(row.id) === true));
  };

  const onPointerDown = (event: ReactPointerEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!event.isPrimary) return hold.cancel();
    if (!(target instanceof Element)) return;
    const hit = hitTest(target);
    const { area, displayIndex, col } = hit;
    hold.release();
    if (event.pointerType === 'touch') {
      hold.cancel();
      pointer.setPlace(event);
      if (area === 'rowHead') return hold.begin(() => tickRow(displayIndex));
    }
    const button = target.closest('button, input, [data-stop]');
    const isLink = target.closest('a') !== null;
    // The focus stays in the focused field; buttons still receive their click.
    if (event.pointerType === 'mouse' && !isLink) event.preventDefault();
    if ((button && !button.hasAttribute('data-toggle')) || !edit.commit()) return;
    if (area === 'fillHandle') {
      if (event.button === 0 && selection) start({ kind: 'fill', to: selection.head }, event);
    } else if (area === 'columnHead' || area === 'columnEdge') press.columnHead(event, hit);
    else if (displayIndex === null) return;
    else if (area === 'rowHead' || area === 'rowGrip') press.rowHead(event, area, displayIndex);
    else if (col !== null) press.cell(event, displayIndex, col, isLink);
  };
  /** A moving finger scrolls: not a long press. */
  const onPointerMove = (event: ReactPointerEvent<HTMLDivElement>): void => {
    if (event.pointerType === 'touch' && drag === null) hold.cancelIfMoved(pointer.place(), { x: event.clientX, y: event.clientY });
  };
  return { drag, takeHeld: hold.take, onPointerDown, onPointerMove, onPointerUp: hold.cancel, onPointerCancel: hold.cancel, ...tap };
}
