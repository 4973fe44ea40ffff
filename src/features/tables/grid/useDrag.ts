import { useState } from 'react';
import { headHeight } from './displayRows';
import { autoScrollStep, columnDrop, columnDropIndex, draggedWidth } from './drag';
import type { Drag } from './drag';
import type { GridModel } from './gridModel';
import { activeRange, fillTarget } from './selection';
import type { Cell } from './selection';
import { useDragListeners } from './useDragListeners';
import type { PointerPlace } from './useDragListeners';
import type { SelectionState } from './useSelection';
import type { Writes } from './useWrites';

/** px that a column's head must be dragged before it counts as a move. */
const columnSlack = 5;

/**
 * The current drag: what it shows while the pointer moves, and what it does when it ends. `onEnd` runs first, and returns true where nothing else is to be
 * done.
 */
export function useDrag(
  model: GridModel,
  selectionState: SelectionState,
  writes: Writes,
  onEnd: (drag: Drag | null, completed: boolean, place: PointerPlace) => boolean,
) {
  const { props, displayRows, layout, bounds, viewport, scroller } = model;
  const { selection, setSelection } = selectionState;
  const [drag, setDrag] = useState<Drag | null>(null);

  const extendTo = (cell: Cell, kind: 'cells' | 'rowHeads' | 'columnHeads'): void => {
    if (!selection) return;
    const head = {
      displayIndex: kind === 'columnHeads' ? bounds.rowCount - 1 : cell.displayIndex,
      col: kind === 'rowHeads' ? bounds.cols - 1 : cell.col,
    };
    if (head.displayIndex !== selection.head.displayIndex || head.col !== selection.head.col) setSelection({ ...selection, head });
  };
  const onMove = (clientX: number, clientY: number): void => {
    if (!drag) return;
    if (drag.kind === 'width') return setDrag({ ...drag, width: draggedWidth(drag, clientX) });
    if (drag.kind === 'column') {
      if (drag.before === null && Math.abs(clientX - drag.x) < columnSlack) return;
      return setDrag({ ...drag, before: columnDropIndex(layout, viewport.listX(clientX), scroller.current?.scrollLeft ?? 0) });
    }
    const cell = viewport.cellAt(clientX, clientY);
    if (drag.kind === 'fill') return setDrag({ kind: 'fill', to: cell });
    if (drag.kind !== 'rows') return extendTo(cell, drag.kind);
    const middle = (displayRows.topOf(cell.displayIndex) + displayRows.topOf(cell.displayIndex + 1)) / 2;
    setDrag({ ...drag, before: viewport.listY(clientY) > middle ? cell.displayIndex + 1 : cell.displayIndex });
  };

  /** A dragged column scrolls sideways only. */
  const scrollTowards = (x: number, y: number): boolean => {
    const element = scroller.current;
    if (!element || !drag) return false;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const step = autoScrollStep({ left: left + layout.pinned, right, top: top + headHeight, bottom }, { x, y });
    const down = drag.kind === 'column' || drag.kind === 'width' ? 0 : step.down;
    if (down === 0 && step.right === 0) return false;
    element.scrollBy(step.right, down);
    return true;
  };

  const complete = (done: Drag): void => {
    if (done.kind === 'width') {
      if (done.width !== done.from) props.onWidth?.(done.id, done.width);
    } else if (done.kind === 'fill' && selection) {
      const target = fillTarget(activeRange(selection), done.to);
      if (target) writes.fill(activeRange(selection), target);
    } else if (done.kind === 'rows') {
      const before = selectionState.indexOf(done.before) ?? (done.before >= displayRows.count ? props.source.count() : null);
      if (before !== null && (before < done.from || before > done.to)) props.onMoveRows?.(done.from, done.to, before);
    } else if (done.kind === 'column' && done.before !== null) {
      const drop = columnDrop(layout, done.id, done.before);
      if (drop) props.onMoveColumn?.(done.id, drop.before, drop.pinned);
    }
  };
  const finish = (completed: boolean, place: PointerPlace): void => {
    setDrag(null);
    if (!onEnd(drag, completed, place) && completed && drag) complete(drag);
  };
  const pointer = useDragListeners(drag !== null, scroller, { onMove, onEnd: finish, scrollTowards });

  const start = (next: Drag, event: { clientX: number; clientY: number; pointerId: number }): void => {
    pointer.setPlace(event);
    setDrag(next);
  };
  return { drag, start, pointer };
}
