import type { GridModel } from './gridModel';
import { allRanges, selectBand, singleCell } from './selection';
import type { Selection } from './selection';
import type { GridHandle } from './types';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';

/** The handle that the grid gives its owner. `select` selects and scrolls the selection into view. */
export function gridHandle(
  { displayRows, layout, bounds, viewport }: GridModel,
  selectionState: SelectionState,
  edit: EditState,
  select: (next: Selection) => void,
): GridHandle {
  const { selection, index, row, column } = selectionState;
  return {
    focus: () => {
      if (!selection && bounds.rowCount > 0) select(singleCell({ displayIndex: 0, col: 0 }));
      edit.focus();
    },
    show: (to, columnId) => {
      const displayIndex = displayRows.displayIndexOf(to);
      const col = columnId === undefined ? 0 : layout.all.findIndex((placed) => placed.column.id === columnId);
      if (displayIndex === null || col === -1) return;
      select(singleCell({ displayIndex, col }));
      edit.focus();
    },
    showRow: (to) => {
      const displayIndex = displayRows.displayIndexOf(to);
      if (displayIndex !== null) select(selectBand(null, 'displayIndex', displayIndex, bounds, { shift: false, ctrl: false }));
    },
    edit: () => edit.begin(null),
    active: () => (index === null || column === null ? null : { index, row, column }),
    selection: () =>
      (selection ? allRanges(selection) : []).flatMap(({ top, bottom, left, right }) => {
        const [from, to] = [selectionState.indexOf(top), selectionState.indexOf(bottom)];
        return from === null || to === null ? [] : [{ from, to: to + 1, columns: layout.all.slice(left, right + 1).map((placed) => placed.column.id) }];
      }),
    toTop: () => viewport.moveTo(0),
  };
}
