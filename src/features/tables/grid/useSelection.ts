import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { GridModel } from './gridModel';
import { allRanges, cellCount, clampSelection, isSingleCell, shiftSelection } from './selection';
import type { Selection } from './selection';
import type { GridRow } from './types';

/** Rows above and below that are searched for a row moved by live changes. */
const followDistance = 200;

/** The display index of the row with this id, searched near its previous one; undefined if not found. */
function findNear(rowOn: (displayIndex: number) => GridRow | undefined, from: number, rowId: string): number | undefined {
  for (let step = 1; step <= followDistance; step += 1) {
    const found = [from + step, from - step].find((displayIndex) => rowOn(displayIndex)?.id === rowId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The selection. It follows its row when rows are added or removed above it, and is clamped when the list shrinks. */
export function useSelection({ props, displayRows, layout, bounds }: Pick<GridModel, 'props' | 'displayRows' | 'layout' | 'bounds'>, version: unknown) {
  const { source, onActive, onSelect } = props;
  const [stored, setSelection] = useState<Selection | null>(null);
  const selection = stored && clampSelection(stored, bounds);
  const indexOf = (displayIndex: number): number | null => {
    const displayed = displayRows.at(displayIndex);
    return displayed?.kind === 'row' ? displayed.index : null;
  };
  const rowOn = (displayIndex: number): GridRow | undefined => {
    const index = indexOf(displayIndex);
    return index === null ? undefined : source.row(index);
  };

  const displayIndex = selection?.anchor.displayIndex ?? null;
  const column = layout.all[selection?.anchor.col ?? 0]?.column.id ?? null;
  const row = displayIndex === null ? undefined : rowOn(displayIndex);
  const followed = useRef<{ displayIndex: number; rowId: string | undefined }>({ displayIndex: -1, rowId: undefined });
  const follow = useEffectEvent(() => {
    const { displayIndex: before, rowId } = followed.current;
    if (!selection || displayIndex === null) return;
    const hasMoved = displayIndex === before && rowId !== undefined && row !== undefined && row.id !== rowId;
    const found = hasMoved ? findNear(rowOn, displayIndex, rowId) : undefined;
    if (found !== undefined) {
      followed.current = { displayIndex: found, rowId };
      setSelection(shiftSelection(selection, found - displayIndex));
    } else followed.current = { displayIndex, rowId: row?.id ?? (displayIndex === before ? rowId : undefined) };
  });
  useLayoutEffect(() => follow(), [version, displayRows, displayIndex]);

  const index = displayIndex === null ? null : indexOf(displayIndex);
  const rowId = row?.id ?? null;
  const notifyActive = useEffectEvent(() => onActive?.(index === null || column === null ? null : { index, rowId, column }));
  useEffect(() => notifyActive(), [index, rowId, column]);
  const notifySelection = useEffectEvent(() => {
    const ranges = selection ? allRanges(selection) : [];
    const last = ranges.at(-1);
    onSelect?.({ rows: last ? last.bottom - last.top + 1 : 0, columns: last ? last.right - last.left + 1 : 0, cells: cellCount(ranges) });
  });
  useEffect(() => notifySelection(), [selection]);
  return { selection, setSelection, single: selection !== null && isSingleCell(selection), indexOf, rowOn, index, row, column };
}
export type SelectionState = ReturnType<typeof useSelection>;
