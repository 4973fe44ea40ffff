import type { DisplayRows } from './displayRows';
import type { Range } from './selection';
import type { GridRow, RowSource } from './types';

/** The maximum number of rows of one copy, paste, fill or clear; larger changes need an import. */
export const maxGestureRows = 10_000;

/** Indexes in the source of the rows between `top` and `bottom`, without group headings; null where there are more than `maxGestureRows`. */
export function indexesOf(displayRows: DisplayRows, { top, bottom }: Pick<Range, 'top' | 'bottom'>): number[] | null {
  const found: number[] = [];
  for (let displayIndex = Math.max(0, top); displayIndex <= bottom && displayIndex < displayRows.count; displayIndex += 1) {
    const displayed = displayRows.at(displayIndex);
    if (displayed?.kind !== 'row') continue;
    if (found.length === maxGestureRows) return null;
    found.push(displayed.index);
  }
  return found;
}

/** The rows at these indexes: synchronously where all are loaded, otherwise after loading the missing ones, with one call per gap. */
export function rowsAt(source: RowSource, indexes: readonly number[], signal: AbortSignal): readonly GridRow[] | Promise<readonly GridRow[]> {
  const known = indexes.map((index) => source.row(index));
  const missing = indexes.filter((_, place) => known[place] === undefined);
  if (missing.length === 0) return known.flatMap((row) => row ?? []);
  const stretches: { from: number; to: number }[] = [];
  for (const index of missing) {
    const last = stretches.at(-1);
    if (last?.to === index) last.to = index + 1;
    else stretches.push({ from: index, to: index + 1 });
  }
  return (async () => {
    const loaded = new Map<number, GridRow>();
    for (const { from, to } of stretches) {
      // Sequentially: a selection over many folded groups must not send all its requests at once.
      // oxlint-disable-next-line no-await-in-loop
      for (const [place, row] of (await source.load(from, to, signal)).entries()) loaded.set(from + place, row);
    }
    return indexes.flatMap((index, place) => known[place] ?? loaded.get(index) ?? []);
  })();
}

export type Rows = { readonly rows: readonly GridRow[]; readonly indexes: readonly number[] };
