/** A cell by line and place of the column. Line −1 is the head of the columns. */
export type Cell = { readonly line: number; readonly col: number };
/** All four edges are within. */
export type Range = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
/** The current range spans from `anchor` (which is the active cell) to `head`; `more` are ranges chosen before it with Ctrl. */
export type Selection = { readonly anchor: Cell; readonly head: Cell; readonly more: readonly Range[] };
export type Bounds = { readonly lines: number; readonly cols: number; /** Lines of one page. */ readonly page: number };
export type Move = 'up' | 'down' | 'left' | 'right' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'top' | 'bottom' | 'first' | 'last';

export const span = (a: Cell, b: Cell): Range => ({
  top: Math.min(a.line, b.line),
  bottom: Math.max(a.line, b.line),
  left: Math.min(a.col, b.col),
  right: Math.max(a.col, b.col),
});
export const at = (cell: Cell): Selection => ({ anchor: cell, head: cell, more: [] });
export const rangeOf = (selection: Selection): Range => span(selection.anchor, selection.head);
export const rangesOf = (selection: Selection): readonly Range[] => [...selection.more, rangeOf(selection)];
export const within = ({ top, bottom, left, right }: Range, { line, col }: Cell): boolean => line >= top && line <= bottom && col >= left && col <= right;
export const sameCell = (a: Cell, b: Cell): boolean => a.line === b.line && a.col === b.col;
export const isOne = ({ anchor, head, more }: Selection): boolean => more.length === 0 && sameCell(anchor, head);

/** A press on a cell: alone, with Shift up to it, with Ctrl beside what is chosen. */
export function press(before: Selection | null, cell: Cell, { shift, ctrl }: { shift: boolean; ctrl: boolean }): Selection {
  if (!before) return at(cell);
  if (shift) return { ...before, head: cell };
  if (ctrl) return { anchor: cell, head: cell, more: rangesOf(before) };
  return at(cell);
}

/** Whole lines or whole columns, by a press on their head. */
export function pressBand(before: Selection | null, kind: 'line' | 'col', place: number, bounds: Bounds, keys: { shift: boolean; ctrl: boolean }): Selection {
  const first = keys.shift && before ? before.anchor[kind] : place;
  const anchor = kind === 'line' ? { line: first, col: 0 } : { line: 0, col: first };
  const head = kind === 'line' ? { line: place, col: bounds.cols - 1 } : { line: bounds.lines - 1, col: place };
  return { anchor, head, more: keys.ctrl && before ? rangesOf(before) : [] };
}

const clampCell = ({ line, col }: Cell, { lines, cols }: Bounds): Cell => ({
  line: Math.max(-1, Math.min(line, lines - 1)),
  col: Math.max(0, Math.min(col, cols - 1)),
});

/** Where a key leads from a cell. The head of the columns is reached upwards, one line at a time, and only where `head` allows it. */
export function moved(cell: Cell, move: Move, bounds: Bounds, head: boolean): Cell {
  const { lines, cols, page } = bounds;
  const { line, col } = cell;
  const first = head && line <= 0 ? -1 : 0;
  const to: Record<Move, Cell> = {
    up: { line: Math.max(line - 1, first), col },
    down: { line: line + 1, col },
    left: { line, col: col - 1 },
    right: { line, col: col + 1 },
    pageUp: { line: Math.max(line - page, Math.min(line, 0)), col },
    pageDown: { line: line + page, col },
    home: { line, col: 0 },
    end: { line, col: cols - 1 },
    top: { line: Math.min(line, 0), col },
    bottom: { line: lines - 1, col },
    first: { line: 0, col: 0 },
    last: { line: lines - 1, col: cols - 1 },
  };
  return clampCell(to[move], bounds);
}

/** Tab: to the next cell, over the end of a line to the next. null: beyond the first or last cell. */
export function tabbed({ line, col }: Cell, back: boolean, { lines, cols }: Bounds): Cell | null {
  const next = line * cols + col + (back ? -1 : 1);
  if (next < 0 || next >= lines * cols) return null;
  return { line: Math.floor(next / cols), col: next % cols };
}

/** The selection in a list that has become smaller; null where nothing is left. */
export function clamped(selection: Selection, bounds: Bounds): Selection | null {
  if (bounds.lines <= 0 || bounds.cols <= 0) return null;
  const fits = ({ line, col }: Cell): boolean => line < bounds.lines && col < bounds.cols;
  if (fits(selection.anchor) && fits(selection.head) && selection.more.every(({ bottom, right }) => fits({ line: bottom, col: right }))) return selection;
  const more = selection.more.flatMap((one) =>
    one.top >= bounds.lines || one.left >= bounds.cols
      ? []
      : [{ ...one, bottom: Math.min(one.bottom, bounds.lines - 1), right: Math.min(one.right, bounds.cols - 1) }],
  );
  return { anchor: clampCell(selection.anchor, bounds), head: clampCell(selection.head, bounds), more };
}

/** How far the fill handle was pulled: beyond one edge of the range, along the longer way. null: not beyond it. */
export function fillTarget(range: Range, to: Cell): { readonly range: Range; readonly way: 'down' | 'up' | 'right' | 'left' } | null {
  const down = to.line - range.bottom;
  const up = range.top - to.line;
  const right = to.col - range.right;
  const left = range.left - to.col;
  const most = Math.max(down, up, right, left);
  if (most <= 0) return null;
  if (most === down) return { way: 'down', range: { ...range, top: range.bottom + 1, bottom: to.line } };
  if (most === up) return { way: 'up', range: { ...range, top: Math.max(0, to.line), bottom: range.top - 1 } };
  if (most === right) return { way: 'right', range: { ...range, left: range.right + 1, right: to.col } };
  return { way: 'left', range: { ...range, left: to.col, right: range.left - 1 } };
}
