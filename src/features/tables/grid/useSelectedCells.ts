import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { GridModel } from './gridModel';
import { allRanges, cellCount, within } from './selection';
import type { Selection } from './selection';

/** Marks the selected cells for screen readers without rendering rows: the selection changes with every step of a drag. */
export function useSelectedCells({ scroller, viewport }: GridModel, selection: Selection | null, version: unknown): void {
  const hasMarked = useRef(false);
  const mark = useEffectEvent(() => {
    const ranges = selection ? allRanges(selection) : [];
    if (ranges.length === 0 && !hasMarked.current) return;
    hasMarked.current = true;
    for (const row of scroller.current?.querySelectorAll('[data-line]') ?? []) {
      const displayIndex = Number(row.getAttribute('data-line'));
      for (const cell of row.querySelectorAll('[data-col]')) {
        const isSelected = ranges.some((range) => within(range, { displayIndex, col: Number(cell.getAttribute('data-col')) }));
        if (isSelected !== (cell.getAttribute('aria-selected') === 'true')) cell.setAttribute('aria-selected', String(isSelected));
      }
    }
  });
  const { first, last, colFirst, colLast } = viewport.window;
  // Rows that load or scroll into view have new cells.
  useLayoutEffect(() => mark(), [selection, first, last, colFirst, colLast, version]);
}

/** Announces the size of the selection to screen readers. */
export function useSelectionAnnouncement({ labels }: GridModel, selection: Selection | null, announce: (text: string) => void): void {
  useEffect(() => {
    const ranges = selection ? allRanges(selection) : [];
    const last = ranges.at(-1);
    if (!last) return;
    const cells = cellCount(ranges);
    if (cells === 1) announce('');
    else if (ranges.length > 1) announce(labels.t('chosenMore', { cells: labels.number(cells) }));
    else announce(labels.t('chosen', { rows: labels.number(last.bottom - last.top + 1), columns: last.right - last.left + 1 }));
  }, [selection, labels, announce]);
}
