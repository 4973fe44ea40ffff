import type { GridColumn } from './types';

export type PlacedColumn = {
  readonly column: GridColumn;
  /** px from the left of the list. */ readonly left: number;
  readonly width: number;
  /** Position from left to right. */ readonly at: number;
};
export type ColumnLayout = {
  /** In display order: pinned columns first. */
  readonly all: readonly PlacedColumn[];
  /** How many of them are pinned. */
  readonly pins: number;
  /** Only the first pinned column stays pinned. */
  readonly narrow: boolean;
  /** px of the row heads; of these and the pinned columns; of the whole row. */
  readonly head: number;
  readonly pinned: number;
  readonly width: number;
};
export const minWidth = 48;
export const maxWidth = 1200;

/** Positions of the columns. In a narrow window only one column stays pinned, on at most half of the width. */
export function layoutColumns(columns: readonly GridColumn[], head: number, viewport: number): ColumnLayout {
  const narrow = viewport > 0 && viewport < 600;
  const pinned = columns.filter((one) => one.pinned === true);
  const stay = narrow ? pinned.slice(0, 1) : pinned;
  const ordered = [...stay, ...columns.filter((one) => !stay.includes(one))];
  let left = head;
  const all = ordered.map((column, at) => {
    const width = narrow && at < stay.length ? Math.min(column.width, Math.max(96, Math.floor(viewport * 0.5) - head)) : column.width;
    const placed = { column, left, width, at };
    left += width;
    return placed;
  });
  const last = all[stay.length - 1];
  return { all, pins: stay.length, narrow, head, pinned: last ? last.left + last.width : head, width: left };
}

/** The unpinned columns that overlap `from` to `to` (px from the left of the list): first index inclusive, second exclusive. */
export function columnsWithin(layout: ColumnLayout, from: number, to: number): readonly [number, number] {
  const { all, pins } = layout;
  let low = pins;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = all[middle];
    if (one && one.left + one.width <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < all.length && (all[end]?.left ?? Infinity) < to) end += 1;
  return [low, end];
}

/** The column at x (`view` px from the left edge of the visible part, in a list scrolled by `scroll` px). */
export function columnAt(layout: ColumnLayout, view: number, scroll: number): number {
  const x = view < layout.pinned ? view : view + scroll;
  const found = layout.all.findIndex((one) => x < one.left + one.width);
  return found === -1 ? layout.all.length - 1 : found;
}

/** The scroll offset at which a column is fully visible; `now` where it already is. `view`: width of the visible part. */
export function scrollToColumn(layout: ColumnLayout, at: number, now: number, view: number): number {
  const one = layout.all[at];
  if (!one || at < layout.pins) return now;
  const availableWidth = view - layout.pinned;
  const left = one.left - layout.pinned;
  if (left < now || one.width > availableWidth) return left;
  return left + one.width > now + availableWidth ? left + one.width - availableWidth : now;
}
