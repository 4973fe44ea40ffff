import type { GridGroup, RowHeight } from './types';

/** px. */
export const rowHeights: Record<RowHeight, number> = { short: 36, medium: 64, tall: 112 };
export const groupHeight = 36;
export const headHeight = 36;
export const footHeight = 32;

export type Line = { readonly kind: 'row'; readonly index: number } | { readonly kind: 'group'; readonly group: GridGroup; readonly folded: boolean };
/**
 * What stands below one another: rows, and the headings of their groups. A line is a place on the screen; an index is a place in the source, which also
 * counts the rows of folded groups.
 */
export type Lines = {
  readonly count: number;
  /** px, without the line for adding. */
  readonly height: number;
  readonly rowHeight: number;
  readonly at: (line: number) => Line | null;
  /** px from the top of the list; of `count` its end. */
  readonly topOf: (line: number) => number;
  /** The line that covers this y; within the list. */
  readonly lineAt: (y: number) => number;
  /** null: in a folded group, or beyond the end. */
  readonly lineOf: (index: number) => number | null;
};

type Part = {
  readonly line: number;
  readonly top: number;
  readonly index: number;
  readonly length: number;
  readonly group: GridGroup | null;
  readonly folded: boolean;
};

const none: ReadonlySet<string> = new Set();

function partsOf(count: number, groups: readonly GridGroup[], folded: ReadonlySet<string>, rowHeight: number): Part[] {
  const parts: Part[] = [];
  let line = 0;
  let top = 0;
  let index = 0;
  let hidden: number | null = null;
  const rows = (length: number): void => {
    if (length <= 0) return;
    parts.push({ line, top, index, length, group: null, folded: false });
    line += length;
    top += length * rowHeight;
    index += length;
  };
  for (const [place, group] of groups.entries()) {
    if (hidden !== null && group.depth > hidden) continue;
    hidden = null;
    // Rows before the first group, or that no group claims.
    rows(Math.min(group.first, count) - index);
    const shut = folded.has(group.id);
    parts.push({ line, top, index, length: 1, group, folded: shut });
    line += 1;
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

/** The last part whose `key` is not beyond `value`. */
function find(parts: readonly Part[], key: 'line' | 'top', value: number): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.[key] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}

export function makeLines(count: number, height: RowHeight, groups: readonly GridGroup[] = [], folded: ReadonlySet<string> = none): Lines {
  const rowHeight = rowHeights[height];
  if (groups.length === 0) {
    return {
      count,
      height: count * rowHeight,
      rowHeight,
      at: (line) => (line >= 0 && line < count ? { kind: 'row', index: line } : null),
      topOf: (line) => line * rowHeight,
      lineAt: (y) => Math.max(0, Math.min(count - 1, Math.floor(y / rowHeight))),
      lineOf: (index) => (index >= 0 && index < count ? index : null),
    };
  }
  const parts = partsOf(count, groups, folded, rowHeight);
  const last = parts.at(-1);
  const total = last ? last.line + last.length : 0;
  const heightOf = (part: Part): number => (part.group ? groupHeight : rowHeight);
  return {
    count: total,
    height: last ? last.top + last.length * heightOf(last) : 0,
    rowHeight,
    at: (line) => {
      const part = line < total ? find(parts, 'line', line) : undefined;
      if (!part) return null;
      return part.group ? { kind: 'group', group: part.group, folded: part.folded } : { kind: 'row', index: part.index + line - part.line };
    },
    topOf: (line) => {
      const part = find(parts, 'line', line);
      return part ? part.top + (line - part.line) * heightOf(part) : 0;
    },
    lineAt: (y) => {
      const part = find(parts, 'top', Math.max(0, y));
      return part ? Math.min(total - 1, part.line + Math.min(part.length - 1, Math.floor((Math.max(0, y) - part.top) / heightOf(part)))) : 0;
    },
    lineOf: (index) => {
      const part = parts.find((one) => one.group === null && index >= one.index && index < one.index + one.length);
      return part ? part.line + index - part.index : null;
    },
  };
}
