/** A cell by the display index of its row and the index of its column. Column heads have the display index −1. */
export type Cell = { readonly displayIndex: number; readonly col: number };
/** All four edges are inclusive. */
export type Range = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
/** The current range spans from `anchor` (the active cell) to `head`; `more` are ranges selected earlier with Ctrl. */
export type Selection = { readonly anchor: Cell; readonly head: Cell; readonly more: readonly Range[] };
export type Bounds = { readonly rowCount: number; readonly cols: number; /** Rows of one page. */ readonly page: number };
export type Move = 'up' | 'down' | 'left' | 'right' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'top' | 'bottom' | 'first' | 'last';

export const span = (a: Cell, b: Cell): Range => ({
  top: Math.min(a.displayIndex, b.displayIndex),
  bottom: Math.max(a.displayIndex, b.displayIndex),
  left: Math.min(a.col, b.col),
  right: Math.max(a.col, b.col),
});
export const singleCell = (cell: Cell): Selection => ({ anchor: cell, head: cell, more: [] });
export const activeRange = (selection: Selection): Range => span(selection.anchor, selection.head);
export const allRanges = (selection: Selection): readonly Range[] => [...selection.more, activeRange(selection)];
export const within = ({ top, bottom, left, right }: Range, { displayIndex, col }: Cell): boolean =>
  displayIndex >= top && displayIndex <= bottom && col >= left && col <= right;
export const sameCell = (a: Cell, b: Cell): boolean => a.displayIndex === b.displayIndex && a.col === b.col;
export const isSingleCell = ({ anchor, head, more }: Selection): boolean => more.length === 0 && sameCell(anchor, head);

/** Number of cells in the ranges; overlapping cells count once per range. */
export const cellCount = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { top, bottom, left, right }) => sum + (bottom - top + 1) * (right - left + 1), 0);
/** The current range, moved `by` rows down. */
export function shiftSelection({ anchor, head }: Selection, by: number): Selection {
  const shift = (cell: Cell): Cell => ({ ...cell, displayIndex: Math.max(0, cell.displayIndex + by) });
  return { anchor: shift(anchor), head: shift(head), more: [] };
}

/** A press on a cell: selects it alone, with Shift extends to it, with Ctrl adds it to the selection. */
export function selectCell(before: Selection | null, cell: Cell, { shift, ctrl }: { shift: boolean; ctrl: boolean }): Selection {
  if (!before) return singleCell(cell);
  if (shift) return { ...before, head: cell };
  if (ctrl) return { anchor: cell, head: cell, more: allRanges(before) };
  return singleCell(cell);
}

/** Whole rows or whole columns, by a press on their head. */
export function selectBand(
  before: Selection | null,
  kind: 'displayIndex' | 'col',
  place: number,
  bounds: Bounds,
  keys: { shift: boolean; ctrl: boolean },
): Selection {
  const first = keys.shift && before ? before.anchor[kind] : place;
  const anchor = kind === 'displayIndex' ? { displayIndex: first, col: 0 } : { displayIndex: 0, col: first };
  const head = kind === 'displayIndex' ? { displayIndex: place, col: bounds.cols - 1 } : { displayIndex: bounds.rowCount - 1, col: place };
  return { anchor, head, more: keys.ctrl && before ? allRanges(before) : [] };
}

const clampCell = ({ displayIndex, col }: Cell, { rowCount, cols }: Bounds): Cell => ({
  displayIndex: Math.max(-1, Math.min(displayIndex, rowCount - 1)),
  col: Math.max(0, Math.min(col, cols - 1)),
});

/** The cell that a key leads to. Column heads are reached upwards, one row at a time, and only if `head` is true. */
export function moveCell(cell: Cell, move: Move, bounds: Bounds, head: boolean): Cell {
  const { rowCount, cols, page } = bounds;
  const { displayIndex, col } = cell;
  const first = head && displayIndex <= 0 ? -1 : 0;
  const to: Record<Move, Cell> = {
    up: { displayIndex: Math.max(displayIndex - 1, first), col },
    down: { displayIndex: displayIndex + 1, col },
    left: { displayIndex, col: col - 1 },
    right: { displayIndex, col: col + 1 },
    pageUp: { displayIndex: Math.max(displayIndex - page, Math.min(displayIndex, 0)), col },
    pageDown: { displayIndex: displayIndex + page, col },
    home: { displayIndex, col: 0 },
    end: { displayIndex, col: cols - 1 },
    top: { displayIndex: Math.min(displayIndex, 0), col },
    bottom: { displayIndex: rowCount - 1, col },
    first: { displayIndex: 0, col: 0 },
    last: { displayIndex: rowCount - 1, col: cols - 1 },
  };
  return clampCell(to[move], bounds);
}

/** Tab: the next cell, wrapping to the next row. null: past the first or last cell. */
export function nextTabCell({ displayIndex, col }: Cell, back: boolean, { rowCount, cols }: Bounds): Cell | null {
  const next = displayIndex * cols + col + (back ? -1 : 1);
  if (next < 0 || next >= rowCount * cols) return null;
  return { displayIndex: Math.floor(next / cols), col: next % cols };
}

/** The selection clamped to a list that has become smaller; null where nothing remains. */
export function clampSelection(selection: Selection, bounds: Bounds): Selection | null {
  if (bounds.rowCount <= 0 || bounds.cols <= 0) return null;
  const fits = ({ displayIndex, col }: Cell): boolean => displayIndex < bounds.rowCount && col < bounds.cols;
  if (fits(selection.anchor) && fits(selection.head) && selection.more.every(({ bottom, right }) => fits({ displayIndex: bottom, col: right })))
    return selection;
  const more = selection.more.flatMap((one) =>
    one.top >= bounds.rowCount || one.left >= bounds.cols
      ? []
      : [{ ...one, bottom: Math.min(one.bottom, bounds.rowCount - 1), right: Math.min(one.right, bounds.cols - 1) }],
  );
  return { anchor: clampCell(selection.anchor, bounds), head: clampCell(selection.head, bounds), more };
}

/** The range into which the fill handle was dragged: beyond one edge of the range, in the longer direction. null: not beyond it. */
export function fillTarget(range: Range, to: Cell): { readonly range: Range; readonly way: 'down' | 'up' | 'right' | 'left' } | null {
  const down = to.displayIndex - range.bottom;
  const up = range.top - to.displayIndex;
  const right = to.col - range.right;
  const left = range.left - to.col;
  const most = Math.max(down, up, right, left);
  if (most <= 0) return null;
  if (most === down) return { way: 'down', range: { ...range, top: range.bottom + 1, bottom: to.displayIndex } };
  if (most === up) return { way: 'up', range: { ...range, top: Math.max(0, to.displayIndex), bottom: range.top - 1 } };
  if (most === right) return { way: 'right', range: { ...range, left: range.right + 1, right: to.col } };
  return { way: 'left', range: { ...range, left: to.col, right: range.left - 1 } };
}
