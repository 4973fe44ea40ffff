import { columnAt, columnsWithin } from './columnLayout';
import type { ColumnLayout } from './columnLayout';
import { headHeight } from './displayRows';
import type { DisplayRows } from './displayRows';
import type { ScrollPlace } from './scrollScale';
import type { Cell } from './selection';

/** Width and height of the scroller, px. */
export type Size = { readonly width: number; readonly height: number };
/** The rendered rows and columns, second index exclusive; `origin` px of the list lie above the layer, which is translated by `shift`. */
export type RenderWindow = {
  readonly first: number;
  readonly last: number;
  readonly colFirst: number;
  readonly colLast: number;
  readonly origin: number;
  readonly shift: number;
};
/** px, from the edges of the scroller. */
export type CellBox = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** Rows rendered beyond the visible ones, and the step in which the window moves, so that not every scrolled row triggers a render. */
const overscanRows = 4;
const rowStep = 2;
const overscanWidth = 240;
/** Tops of rows are relative to a multiple of this, so that offsets stay within browser limits. */
const originStep = 1_000_000;

/** The render window when the list is scrolled to `place` and by `scrollLeft` px sideways. */
export function renderWindow(
  displayRows: DisplayRows,
  layout: ColumnLayout,
  { top, virtual }: ScrollPlace,
  scrollLeft: number,
  { width, height }: Size,
): RenderWindow {
  const firstVisible = displayRows.count === 0 ? 0 : displayRows.displayIndexAt(virtual);
  const lastVisible = displayRows.count === 0 ? -1 : displayRows.displayIndexAt(virtual + height);
  const first = Math.max(0, Math.floor((firstVisible - overscanRows) / rowStep) * rowStep);
  const last = Math.min(displayRows.count, Math.ceil((lastVisible + 1 + overscanRows) / rowStep) * rowStep);
  const [colFirst, colLast] = columnsWithin(layout, scrollLeft + layout.pinned - overscanWidth, scrollLeft + width + overscanWidth);
  const origin = Math.floor(virtual / originStep) * originStep;
  return { first, last, colFirst, colLast, origin, shift: origin + top - virtual };
}

/** Whether `a` and `b` render the same. */
export const sameWindow = (a: RenderWindow, b: RenderWindow): boolean =>
  a.first === b.first && a.last === b.last && a.colFirst === b.colFirst && a.colLast === b.colLast && a.origin === b.origin && Math.abs(a.shift - b.shift) < 1;

/** Position and scroll offsets of the scroller, read when needed. */
export type ScrollerPosition = { readonly left: number; readonly top: number; readonly virtual: number; readonly scrollLeft: number };

/** Conversions between window coordinates, the list and cells. */
export function cellGeometry(displayRows: DisplayRows, layout: ColumnLayout, position: () => ScrollerPosition) {
  /** px from the top of the list. */
  const listY = (clientY: number): number => {
    const { top, virtual } = position();
    return clientY - top - headHeight + virtual;
  };
  /** px from the left edge of the scroller. */
  const listX = (clientX: number): number => clientX - position().left;
  return {
    listX,
    listY,
    /** The cell at a point of the window; the nearest one where the point is outside. */
    cellAt: (clientX: number, clientY: number): Cell => ({
      displayIndex: displayRows.displayIndexAt(listY(clientY)),
      col: columnAt(layout, Math.max(listX(clientX), layout.head), position().scrollLeft),
    }),
    boxOf: ({ displayIndex, col }: Cell): CellBox | null => {
      const placed = layout.all[col];
      if (!placed) return null;
      const { virtual, scrollLeft } = position();
      const isHead = displayIndex < 0;
      return {
        left: col < layout.pins ? placed.left : placed.left - scrollLeft,
        top: isHead ? 0 : displayRows.topOf(displayIndex) - virtual + headHeight,
        width: placed.width,
        height: isHead ? headHeight : displayRows.topOf(displayIndex + 1) - displayRows.topOf(displayIndex),
      };
    },
  };
}
