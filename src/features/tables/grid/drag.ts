import { maxWidth, minWidth } from './columnLayout';
import type { ColumnLayout } from './columnLayout';
import type { Cell } from './selection';

/** The current drag, with what the grid shows of it. */
export type Drag =
  | { readonly kind: 'cells' | 'rowHeads' | 'columnHeads' }
  | { readonly kind: 'fill'; readonly to: Cell }
  | {
      readonly kind: 'rows';
      readonly from: number;
      readonly to: number;
      /** Display index of the row before which the rows would be dropped. */ readonly before: number;
    }
  | {
      readonly kind: 'column';
      readonly id: string;
      readonly x: number;
      /** Column before which it would be dropped; null until it has moved far enough. */ readonly before: number | null;
    }
  | { readonly kind: 'width'; readonly id: string; readonly x: number; readonly from: number; readonly width: number };

/** px from an edge of the scroller within which it scrolls. */
const scrollEdge = 32;

/** The width of a column whose edge is at `clientX`. */
export const draggedWidth = (drag: Extract<Drag, { kind: 'width' }>, clientX: number): number =>
  Math.max(minWidth, Math.min(maxWidth, Math.round(drag.from + clientX - drag.x)));

/** The column before which a drop at `x` goes: the first whose left half, or its remainder, is under the pointer. `x`: px from the scroller's left edge. */
export function columnDropIndex(layout: ColumnLayout, x: number, scrollLeft: number): number {
  const found = layout.all.find((placed) => x < (placed.at < layout.pins ? placed.left : placed.left - scrollLeft) + placed.width / 2);
  return found?.at ?? layout.all.length;
}

/** The target of a dropped column: the id of the column after it, and whether it is pinned there. null: it does not move. */
export function columnDrop(layout: ColumnLayout, id: string, before: number): { readonly before: string | null; readonly pinned: boolean } | null {
  const at = layout.all.findIndex(({ column }) => column.id === id);
  if (before === at || before === at + 1) return null;
  return { before: layout.all[before]?.column.id ?? null, pinned: before < layout.pins || (at < layout.pins && before === layout.pins) };
}

const towards = (low: number, high: number, pointer: number): number =>
  (pointer < low + scrollEdge ? pointer - low - scrollEdge : Math.max(0, pointer - high + scrollEdge)) / 2;

/** px to scroll in one frame towards a pointer near an edge or beyond it, faster with distance. `box`: the scrolling part, without head and pinned columns. */
export const autoScrollStep = (
  box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number },
  pointer: { readonly x: number; readonly y: number },
): { readonly right: number; readonly down: number } => ({
  right: towards(box.left, box.right, pointer.x),
  down: towards(box.top, box.bottom, pointer.y),
});
