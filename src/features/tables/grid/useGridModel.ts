import { useId, useMemo, useRef, useState } from 'react';
import { layoutColumns } from './columnLayout';
import { footHeight, groupHeight, makeDisplayRows } from './displayRows';
import type { GridModel } from './gridModel';
import type { GridProps } from './types';
import { useGridLabels } from './useGridLabels';
import { useSize, useViewport } from './useViewport';

/** px below the last row, besides the button that adds one. */
const spaceBelow = 24;

/** px of the row heads, which must fit the largest number and the tools. */
function rowHeadWidth(props: GridProps, viewportWidth: number): number {
  if (viewportWidth < 600) return 44;
  const tools = (props.onCheck ? 22 : 0) + (props.onOpen ? 22 : 0) + (props.onMoveRows ? 14 : 0);
  return 12 + Math.max(3, String(props.source.count()).length) * 7.5 + Math.max(tools, 10);
}

/** Current rows, columns and viewport of the grid. `setWidthPreview` shows a width while a column is resized. */
export function useGridModel(props: GridProps) {
  const { columns, source, height = 'short', groups, folded } = props;
  const id = useId();
  const labels = useGridLabels();
  const scroller = useRef<HTMLDivElement>(null);
  const keyField = useRef<HTMLTextAreaElement>(null);
  const size = useSize(scroller);
  const count = source.count();
  const [widthPreview, setWidthPreview] = useState<{ id: string; width: number } | null>(null);

  const displayRows = useMemo(() => makeDisplayRows(count, height, groups, folded), [count, height, groups, folded]);
  const headWidth = rowHeadWidth(props, size.width);
  const layout = useMemo(() => {
    const previewed = widthPreview ? columns.map((column) => (column.id === widthPreview.id ? { ...column, width: widthPreview.width } : column)) : columns;
    return layoutColumns(previewed, headWidth, size.width);
  }, [columns, headWidth, size.width, widthPreview]);
  const hasFoot = props.onFooter !== undefined || columns.some(({ footer }) => footer);
  const viewport = useViewport(scroller, displayRows, layout, size, (props.onAddRow ? groupHeight : 0) + spaceBelow, hasFoot ? footHeight : 0);
  const bounds = useMemo(
    () => ({
      rowCount: displayRows.count,
      cols: layout.all.length,
      page: Math.max(1, Math.floor(viewport.visibleHeight / displayRows.rowHeight) - 1),
    }),
    [displayRows, layout, viewport.visibleHeight],
  );
  const model: GridModel = { id, props, labels, displayRows, layout, bounds, viewport, scroller, keyField };
  return { model, size, hasFoot, setWidthPreview };
}
