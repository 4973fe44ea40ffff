import type { ColumnLayout } from './columnLayout';
import type { GridColumn, GridMenuItem, GridProps, GridRow, MenuPlace } from './types';
import type { GridLabels } from './useGridLabels';
import type { Writes } from './useWrites';

const itemsOf = (...items: (GridMenuItem | false | undefined)[]): GridMenuItem[] =>
  items.flatMap((item) => (item === false || item === undefined ? [] : [item]));
/** Joins sections to one list; the first item of each section but the first has a line above it. */
export const withSeparators = (...sections: GridMenuItem[][]): GridMenuItem[] =>
  sections
    .filter((items) => items.length > 0)
    .flatMap((items, section) => items.map((item, place) => (section > 0 && place === 0 ? { ...item, apart: true } : item)));

const command = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl+';

/** The menu of a column's head. */
export function columnItems(
  props: GridProps,
  layout: ColumnLayout,
  { t }: GridLabels,
  column: GridColumn,
  col: number,
  actions: {
    readonly anchor: HTMLElement;
    readonly onMove: (by: -1 | 1) => void;
    readonly onFit: (column: string) => void;
    readonly onRename: (column: string) => void;
  },
): GridMenuItem[] {
  const { onSort, onFilter, onPin, onHide, onRenameField, onInsertField, onMoveColumn, onWidth } = props;
  const { id } = column;
  const isPinned = col < layout.pins;
  const pin = (): void => {
    // In a narrow window only the first pinned column stays: the new one becomes the first.
    const first = layout.narrow && !isPinned ? layout.all[0] : undefined;
    if (first && layout.pins > 0 && onMoveColumn) onMoveColumn(id, first.column.id, true);
    else onPin?.(id, !isPinned);
  };
  return withSeparators(
    [
      ...itemsOf(onRenameField && !column.system && { id: 'rename', name: t('menu.rename'), keys: 'F2', onChoose: () => actions.onRename(id) }),
      ...(props.columnMenu?.(column) ?? []),
    ],
    itemsOf(
      onInsertField && { id: 'insertLeft', name: t('menu.insertLeft'), onChoose: () => onInsertField(id, 'left', actions.anchor) },
      onInsertField && { id: 'insertRight', name: t('menu.insertRight'), onChoose: () => onInsertField(id, 'right', actions.anchor) },
    ),
    itemsOf(
      onSort && { id: 'up', name: t('menu.sortUp'), onChoose: () => onSort(id, 'asc', false) },
      onSort && { id: 'down', name: t('menu.sortDown'), onChoose: () => onSort(id, 'desc', false) },
      onSort && column.sorted && { id: 'unsort', name: t('menu.unsort'), onChoose: () => onSort(id, null, false) },
      onFilter && { id: 'filter', name: t('menu.filter'), onChoose: () => onFilter(id) },
    ),
    itemsOf(
      onPin && { id: 'pin', name: t(isPinned ? 'menu.unpin' : 'menu.pin'), onChoose: pin },
      onMoveColumn && { id: 'left', name: t('menu.left'), keys: 'Alt+←', disabled: col === 0 || col === layout.pins, onChoose: () => actions.onMove(-1) },
      onMoveColumn && {
        id: 'right',
        name: t('menu.right'),
        keys: 'Alt+→',
        disabled: col === layout.all.length - 1 || col === layout.pins - 1,
        onChoose: () => actions.onMove(1),
      },
      onWidth && { id: 'fit', name: t('menu.fit'), onChoose: () => actions.onFit(id) },
    ),
    itemsOf(onHide && !column.alwaysVisible && { id: 'hide', name: t('menu.hide'), onChoose: () => onHide(id) }),
    [...(props.columnMenuEnd?.(column) ?? [])],
  );
}

/** The menu of the foot: which aggregate is shown for the column. */
export const footerItems = ({ onFooter }: GridProps, { t }: GridLabels, column: GridColumn): GridMenuItem[] =>
  withSeparators(
    [{ id: '', name: t('noSummary'), onChoose: () => onFooter?.(column.id, null) }],
    (column.footerChoices ?? []).map(({ id, name }) => ({ id: `of ${id}`, name, onChoose: () => onFooter?.(column.id, id) })),
  );

/** The menu of a cell. `isWritable`: something in the selection is writable. */
export function cellItems(
  props: GridProps,
  { t }: GridLabels,
  place: MenuPlace & { readonly row: GridRow; readonly isWritable: boolean },
  actions: { readonly onEdit: () => void; readonly writes: Writes },
): GridMenuItem[] {
  const { onOpen, onAddRow, onCheck } = props;
  const { row, index, column, isWritable } = place;
  const { writes } = actions;
  const isChecked = props.checkedAll === true || props.checked?.has(row.id) === true;
  return withSeparators(
    itemsOf(
      onOpen && { id: 'open', name: t('menu.open'), keys: t('keys.space'), onChoose: () => onOpen(row, index, column) },
      onCheck && { id: 'check', name: t(isChecked ? 'menu.uncheck' : 'menu.check'), onChoose: () => onCheck([row.id], !isChecked) },
      isWritable && { id: 'edit', name: t('menu.edit'), keys: 'F2', onChoose: actions.onEdit },
    ),
    itemsOf(
      { id: 'copy', name: t('menu.copy'), keys: `${command}C`, onChoose: () => void writes.copy(null, false) },
      isWritable && { id: 'cut', name: t('menu.cut'), keys: `${command}X`, onChoose: () => void writes.copy(null, true) },
      isWritable && { id: 'fillDown', name: t('menu.fillDown'), keys: `${command}D`, onChoose: writes.fillDown },
      isWritable && { id: 'clear', name: t('menu.clear'), keys: 'Delete', onChoose: () => writes.clear() },
    ),
    itemsOf(onAddRow && { id: 'below', name: t('menu.insertBelow'), onChoose: () => onAddRow(index) }),
    [...(props.rowMenu?.({ row, index, column, rows: place.rows }) ?? [])],
  );
}
