import { useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { GridMenu } from './GridMenu';
import type { GridMenuState } from './GridMenu';
import type { GridModel } from './gridModel';
import { cellItems, columnItems, footerItems } from './menuItems';
import { activeRange, allRanges, singleCell } from './selection';
import type { Cell } from './selection';
import type { EditState } from './useEditing';
import type { SelectionState } from './useSelection';
import type { Writes } from './useWrites';

/** What the menu of a column does in the grid itself: fitting its width, and renaming it in its head. */
type ColumnActions = { readonly onFit: (column: string) => void; readonly onRename: (column: string) => void };

/** Menus of columns, of the foot and of cells. */
export function useMenus(model: GridModel, selectionState: SelectionState, edit: EditState, writes: Writes, { onFit, onRename }: ColumnActions) {
  const { props, labels, layout, viewport, keyField } = model;
  const [open, setOpen] = useState<GridMenuState | null>(null);
  const pointAnchor = useRef<HTMLSpanElement>(null);

  const moveColumn = (col: number, by: -1 | 1): void => {
    const [placed, other] = [layout.all[col], layout.all[col + by]];
    if (!placed || !other || !props.onMoveColumn) return;
    const isPinned = placed.at < layout.pins;
    if (isPinned !== other.at < layout.pins) return;
    props.onMoveColumn(placed.column.id, by < 0 ? other.column.id : (layout.all[col + 2]?.column.id ?? null), isPinned);
    selectionState.setSelection(singleCell({ displayIndex: selectionState.selection?.anchor.displayIndex ?? 0, col: col + by }));
  };
  const openColumn = (col: number, anchor: HTMLElement): void => {
    const column = layout.all[col]?.column;
    const items = column ? columnItems(props, layout, labels, column, col, { anchor, onMove: (by) => moveColumn(col, by), onFit, onRename }) : [];
    if (column && items.length > 0) setOpen({ anchor, label: labels.t('columnMenu', { column: column.title }), items });
  };
  const openFoot = (col: number, anchor: HTMLElement): void => {
    const column = layout.all[col]?.column;
    if (column) setOpen({ anchor, label: labels.t('summarize', { column: column.title }), items: footerItems(props, labels, column) });
  };
  /** Opens at a point of the window. */
  const openCell = (x: number, y: number): void => {
    const { selection, row, index, column } = selectionState;
    const anchor = pointAnchor.current;
    if (!selection || !row || index === null || column === null || !anchor) return;
    const rows = allRanges(selection).flatMap(({ top, bottom }) => {
      const [from, to] = [selectionState.indexOf(top), selectionState.indexOf(bottom)];
      return from === null || to === null ? [] : [{ from, to: to + 1 }];
    });
    const range = activeRange(selection);
    const isWritable = props.onWrite !== undefined && layout.all.slice(range.left, range.right + 1).some((placed) => placed.column.edit !== 'none');
    anchor.style.left = `${String(x)}px`;
    anchor.style.top = `${String(y)}px`;
    const items = cellItems(props, labels, { row, index, column, rows, isWritable }, { onEdit: () => edit.begin(null), writes });
    setOpen({ anchor, label: labels.t('cellMenu'), items });
  };
  const openColumnByKey = (col: number): void => {
    const button = keyField.current?.parentElement?.querySelector<HTMLElement>(`[data-hcol="${String(col)}"] .g-hmenu`);
    if (button) openColumn(col, button);
  };
  /** false: the column cannot be renamed. */
  const renameByKey = (col: number): boolean => {
    const column = layout.all[col]?.column;
    if (!column || column.system || !props.onRenameField) return false;
    onRename(column.id);
    return true;
  };
  const openCellByKey = (cell: Cell): void => {
    viewport.reveal(cell);
    const box = viewport.boxOf(cell);
    const frame = keyField.current?.parentElement?.getBoundingClientRect();
    if (box && frame) openCell(frame.left + box.left + 16, frame.top + box.top + box.height);
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // A long press by touch opens the menu elsewhere, because not every browser sends this event for it.
    const isTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    const head = target.closest('[data-hcol]');
    if (head) {
      event.preventDefault();
      if (isTouch) return;
      return openColumn(Number(head.getAttribute('data-hcol')), (head.querySelector('.g-hmenu') ?? head) as HTMLElement);
    }
    if (!target.closest('[data-line]')) return;
    event.preventDefault();
    if (!isTouch) openCell(event.clientX, event.clientY);
  };
  const onChosen = (): void => {
    setOpen(null);
    edit.focus();
  };
  const menu: ReactNode = (
    <>
      <span ref={pointAnchor} className="g-spot" tabIndex={-1} onFocus={() => edit.focus()} />
      {open && <GridMenu open={open} onClose={() => setOpen(null)} onChosen={onChosen} />}
    </>
  );
  return { menu, openColumn, openColumnByKey, renameByKey, openFoot, openCell, openCellByKey, onContextMenu, moveColumn };
}
export type Menus = ReturnType<typeof useMenus>;
