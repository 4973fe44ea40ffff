import { isEmpty, mayWrite } from './cellValues';
import type { GridModel } from './gridModel';
import type { Cell } from './selection';
import type { GridColumn, GridRow } from './types';
import type { Editing, EditStore } from './useEditState';
import type { SelectionState } from './useSelection';

/** The text that the editor of a cell starts with. */
export const cellText = (row: GridRow, column: GridColumn): string => {
  const value = row.values[column.id];
  return isEmpty(value) ? '' : column.toText(value, row);
};

/** Opens the editor of a cell: `typed` is the text that opened it, null where a key or a press opened it. */
export function useBeginEdit(
  { props, labels, layout }: Pick<GridModel, 'props' | 'labels' | 'layout'>,
  selectionState: SelectionState,
  store: EditStore,
  send: (edit: Omit<Editing, 'kind' | 'typed'>, value: unknown, how: 'toggle') => void,
) {
  const { onWrite, onNotice, onOpen } = props;

  /** The cell, if it can be edited; otherwise a notice says why not. */
  const editable = (cell: Cell | undefined): Omit<Editing, 'kind' | 'typed'> | null => {
    const column = cell && layout.all[cell.col]?.column;
    const index = cell ? selectionState.indexOf(cell.displayIndex) : null;
    const row = cell && selectionState.rowOn(cell.displayIndex);
    if (!cell || !column || index === null || !row) return null;
    if (column.edit === 'record' || (onWrite && mayWrite(column, row))) return { cell, row, index, column };
    if (onWrite) onNotice?.(labels.t('readOnly'));
    return null;
  };

  return (typed: string | null, cell = selectionState.selection?.anchor): void => {
    const found = editable(cell);
    if (!found) return store.setText('');
    const { row, index, column } = found;
    if (column.edit === 'record') {
      store.setText('');
      return onOpen?.(row, index, column.id);
    }
    if (column.edit === 'toggle') {
      store.setText('');
      return typed === null ? send(found, row.values[column.id] !== true, 'toggle') : undefined;
    }
    store.setError(null);
    store.setDraft(null);
    if (column.edit === 'text') {
      if (typed === null) store.setText(cellText(row, column));
      store.setEditing({ ...found, kind: 'text', typed });
      return store.focus();
    }
    if (store.isComposing()) return store.setEditing({ ...found, kind: 'waiting', typed });
    store.setText('');
    store.setEditing({ ...found, kind: 'panel', typed });
  };
}
