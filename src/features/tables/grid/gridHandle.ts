import type { GridModel } from './gridModel';
import { hitTest } from './hitTest';
import { allRanges, selectBand, singleCell } from './selection';
import type { Selection } from './selection';
import type { GridHandle } from './types';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';

/** The handle that the grid gives its owner. `select` selects and scrolls the selection into view. */
export function gridHandle(
  { props, displayRows, layout, bounds, viewport }: GridModel,
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
    cellAt: (target, clientX, clientY) => {
      if (hitTest(target).area !== 'cell') return null;
      const { displayIndex, col } = viewport.cellAt(clientX, clientY);
      const at = selectionState.indexOf(displayIndex);
      const there = at === null ? undefined : props.source.row(at);
      const id = layout.all[col]?.column.id;
      return there && id !== undefined ? { row: there, column: id } : null;
    },
    active: () => (index === null || column === null ? null : { index, row, column }),
    selection: () =>
      (selection ? allRanges(selection) : []).flatMap(({ top, bottom, left, right }) => {
        const [from, to] = [selectionState.indexOf(top), selectionState.indexOf(bottom)];
        return from === null || to === null ? [] : [{ from, to: to + 1, columns: layout.all.slice(left, right + 1).map((placed) => placed.column.id) }];
      }),
    toTop: () => viewport.moveTo(0),
  };
}
