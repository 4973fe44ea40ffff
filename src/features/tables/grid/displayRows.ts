import type { GridGroup, RowHeight } from './types';

/** px. */
export const rowHeights: Record<RowHeight, number> = { short: 36, medium: 64, tall: 112 };
export const groupHeight = 36;
export const headHeight = 36;
export const footHeight = 32;

export type DisplayRow = { readonly kind: 'row'; readonly index: number } | { readonly kind: 'group'; readonly group: GridGroup; readonly folded: boolean };
/**
 * The displayed sequence of rows and group headings. A display index counts both; an index is the position of a row in the source, which also counts the rows
 * of folded groups.
 */
export type DisplayRows = {
  readonly count: number;
  /** px, without the button that adds a row. */
  readonly height: number;
  readonly rowHeight: number;
  readonly at: (displayIndex: number) => DisplayRow | null;
  /** px from the top of the list; for `count`, its end. */
  readonly topOf: (displayIndex: number) => number;
  /** The row or heading at this y (px from the top of the list); the nearest one where y is outside. */
  readonly displayIndexAt: (y: number) => number;
  /** null: in a folded group, or past the end. */
  readonly displayIndexOf: (index: number) => number | null;
};

type Part = {
  readonly displayIndex: number;
  readonly top: number;
  readonly index: number;
  readonly length: number;
  readonly group: GridGroup | null;
  readonly folded: boolean;
};

const none: ReadonlySet<string> = new Set();

function partsOf(count: number, groups: readonly GridGroup[], folded: ReadonlySet<string>, rowHeight: number): Part[] {
  const parts: Part[] = [];
  let displayIndex = 0;
  let top = 0;
  let index = 0;
  let hidden: number | null = null;
  const rows = (length: number): void => {
    if (length <= 0) return;
    parts.push({ displayIndex, top, index, length, group: null, folded: false });
    displayIndex += length;
    top += length * rowHeight;
    index += length;
  };
  for (const [place, group] of groups.entries()) {
    if (hidden !== null && group.depth > hidden) continue;
    hidden = null;
    // Rows before the first group, or in no group.
    rows(Math.min(group.first, count) - index);
    const shut = folded.has(group.id);
    parts.push({ displayIndex, top, index, length: 1, group, folded: shut });
    displayIndex += 1;
    top += groupHeight;
    const leaf = (groups[place + 1]?.depth ?? -1) <= group.depth;
    if (shut) {
      hidden = group.depth;
      index = Math.min(group.first + group.count, count);
    } else if (leaf) rows(Math.min(group.first + group.count, count) - index);
  }
  rows(count - index);
  return parts;
}

/** The last part whose `key` is not greater than `value`. */
function find(parts: readonly Part[], key: 'displayIndex' | 'top', value: number): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.[key] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}

export function makeDisplayRows(count: number, height: RowHeight, groups: readonly GridGroup[] = [], folded: ReadonlySet<string> = none): DisplayRows {
  const rowHeight = rowHeights[height];
  if (groups.length === 0) {
    return {
      count,
      height: count * rowHeight,
      rowHeight,
      at: (displayIndex) => (displayIndex >= 0 && displayIndex < count ? { kind: 'row', index: displayIndex } : null),
      topOf: (displayIndex) => displayIndex * rowHeight,
      displayIndexAt: (y) => Math.max(0, Math.min(count - 1, Math.floor(y / rowHeight))),
      displayIndexOf: (index) => (index >= 0 && index < count ? index : null),
    };
  }
  const parts = partsOf(count, groups, folded, rowHeight);
  const last = parts.at(-1);
  const total = last ? last.displayIndex + last.length : 0;
  const heightOf = (part: Part): number => (part.group ? groupHeight : rowHeight);
  return {
    count: total,
    height: last ? last.top + last.length * heightOf(last) : 0,
    rowHeight,
    at: (displayIndex) => {
      const part = displayIndex < total ? find(parts, 'displayIndex', displayIndex) : undefined;
      if (!part) return null;
      return part.group ? { kind: 'group', group: part.group, folded: part.folded } : { kind: 'row', index: part.index + displayIndex - part.displayIndex };
    },
    topOf: (displayIndex) => {
      const part = find(parts, 'displayIndex', displayIndex);
      return part ? part.top + (displayIndex - part.displayIndex) * heightOf(part) : 0;
    },
    displayIndexAt: (y) => {
      const part = find(parts, 'top', Math.max(0, y));
      return part ? Math.min(total - 1, part.displayIndex + Math.min(part.length - 1, Math.floor((Math.max(0, y) - part.top) / heightOf(part)))) : 0;
    },
    displayIndexOf: (index) => {
      const part = parts.find((one) => one.group === null && index >= one.index && index < one.index + one.length);
      return part ? part.displayIndex + index - part.index : null;
    },
  };
}
