import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ColumnLayout } from './columns';
import type { Lines } from './lines';
import { clamped, isOne, rangesOf } from './selection';
import type { Bounds, Selection } from './selection';
import type { GridProps, GridRow } from './types';

/** How far a row is looked for that live changes have moved. */
const near = 200;

/** What is chosen. It stays with its row when rows come or go above it, and within the list when that becomes smaller. */
export function useSelection(props: GridProps, lines: Lines, layout: ColumnLayout, bounds: Bounds, version: unknown) {
  const { source, onActive, onSelect } = props;
  const [kept, setSelection] = useState<Selection | null>(null);
  const selection = kept && clamped(kept, bounds);
  const indexOf = (line: number): number | null => {
    const one = lines.at(line);
    return one?.kind === 'row' ? one.index : null;
  };
  const rowOn = (line: number): GridRow | undefined => {
    const index = indexOf(line);
    return index === null ? undefined : source.row(index);
  };

  const line = selection?.anchor.line ?? null;
  const col = selection?.anchor.col ?? 0;
  const column = layout.all[col]?.column.id ?? null;
  const row = line === null ? undefined : rowOn(line);
  const followed = useRef<{ line: number; rowId: string | undefined }>({ line: -1, rowId: undefined });
  const follow = useEffectEvent(() => {
    const { line: before, rowId } = followed.current;
    if (!selection || line === null) return;
    if (line === before && rowId !== undefined && row !== undefined && row.id !== rowId) {
      for (let step = 1; step <= near; step += 1) {
        const found = [line + step, line - step].find((one) => rowOn(one)?.id === rowId);
        if (found === undefined) continue;
        const by = found - line;
        const move = <T extends { line: number }>(cell: T): T => ({ ...cell, line: Math.max(0, cell.line + by) });
        followed.current = { line: found, rowId };
        setSelection({ anchor: move(selection.anchor), head: move(selection.head), more: [] });
        return;
      }
    }
    followed.current = { line, rowId: row?.id ?? (line === before ? rowId : undefined) };
  });
  useLayoutEffect(() => follow(), [version, lines, line]);

  const index = line === null ? null : indexOf(line);
  const rowId = row?.id ?? null;
  const tellActive = useEffectEvent(() => onActive?.(index === null || column === null ? null : { index, rowId, column }));
  useEffect(() => tellActive(), [index, rowId, column]);
  const tellShape = useEffectEvent(() => {
    const ranges = selection ? rangesOf(selection) : [];
    const last = ranges.at(-1);
    onSelect?.({
      rows: last ? last.bottom - last.top + 1 : 0,
      columns: last ? last.right - last.left + 1 : 0,
      cells: ranges.reduce((sum, one) => sum + (one.bottom - one.top + 1) * (one.right - one.left + 1), 0),
    });
  });
  useEffect(() => tellShape(), [selection]);
  return { selection, setSelection, single: selection !== null && isOne(selection), indexOf, rowOn, index, row, column };
}
export type Chosen = ReturnType<typeof useSelection>;
