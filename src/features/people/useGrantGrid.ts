import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { Grants } from '@contract/people/schemas';
import { cellWidth, headHeightOf, nameWidth, rowHeight } from './grantGrid';
import type { CellPosition } from './grantGrid';

/** Which rows and columns are rendered, which cell is active, and moving to another. */
export function useGrantGrid(people: readonly Grants['people'][number][], sites: Grants['sites']) {
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const headHeight = useMemo(() => headHeightOf(sites), [sites]);
  const rows = useVirtualizer({
    count: people.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 8,
    initialRect: { width: 1100, height: 640 },
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: sites.length,
    getScrollElement: () => frame.current,
    estimateSize: () => cellWidth,
    paddingStart: nameWidth,
    scrollPaddingStart: nameWidth,
    overscan: 4,
    initialRect: { width: 1100, height: 640 },
  });
  const go = (next: CellPosition) => {
    setActive(next);
    rows.scrollToIndex(next.row);
    columns.scrollToIndex(next.column);
    // The cell may have to be rendered first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        frame.current?.querySelector<HTMLElement>(`[data-cell="${String(next.row)}:${String(next.column)}"]`)?.focus({ preventScroll: true }),
      ),
    );
  };
  const visibleColumns = columns.getVirtualItems();
  return {
    frame,
    active,
    setActive,
    go,
    rows: { visible: rows.getVirtualItems(), height: rows.getTotalSize(), headHeight },
    columns: { visible: visibleColumns, before: (visibleColumns[0]?.start ?? nameWidth) - nameWidth, width: columns.getTotalSize() },
  };
}
