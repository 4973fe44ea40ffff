import { useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { MenuRow, Popup } from '@/ui/Popup';
import type { ColumnLayout } from './columns';
import { rangeOf, rangesOf } from './selection';
import type { Selection } from './selection';
import type { GridColumn, GridMenuItem, GridProps } from './types';
import type { EditState } from './useEditing';
import type { GridWords } from './useGridWords';
import type { Chosen } from './useSelection';
import type { Writes } from './useWrites';

type Open = { readonly anchor: HTMLElement; readonly label: string; readonly items: readonly GridMenuItem[] };

const itemsOf = (...items: (GridMenuItem | false | undefined)[]): GridMenuItem[] => items.flatMap((one) => (one === false || one === undefined ? [] : [one]));
/** The first of each part has a line above it. */
const parts = (...lists: GridMenuItem[][]): GridMenuItem[] =>
  lists.filter((list) => list.length > 0).flatMap((list, part) => list.map((one, place) => (part > 0 && place === 0 ? { ...one, apart: true } : one)));

const command = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl+';

/** Menus of columns, of the foot and of cells. */
export function useMenus(
  props: GridProps,
  layout: ColumnLayout,
  chosen: Chosen,
  edit: EditState,
  writes: Writes,
  words: GridWords,
  onFit: (column: string) => void,
) {
  const { t } = words;
  const [open, setOpen] = useState<Open | null>(null);
  const spot = useRef<HTMLSpanElement>(null);

  const moveColumn = (col: number, by: -1 | 1): void => {
    const one = layout.all[col];
    const other = layout.all[col + by];
    if (!one || !other || !props.onMoveColumn) return;
    const pinned = one.at < layout.pins;
    if (pinned !== other.at < layout.pins) return;
    props.onMoveColumn(one.column.id, by < 0 ? other.column.id : (layout.all[col + 2]?.column.id ?? null), pinned);
    const at = { line: chosen.selection?.anchor.line ?? 0, col: col + by };
    chosen.setSelection({ anchor: at, head: at, more: [] } satisfies Selection);
  };
  const columnItems = (column: GridColumn, col: number): GridMenuItem[] => {
    const { onSort, onFilter, onPin, onHide, onEditField, onInsertField, onMoveColumn, onWidth } = props;
    const { id } = column;
    return parts(
      itemsOf(onEditField && { id: 'editField', name: t('menu.editField'), onChoose: () => onEditField(id) }),
      itemsOf(
        onSort && { id: 'up', name: t('menu.sortUp'), onChoose: () => onSort(id, 'asc', false) },
        onSort && { id: 'down', name: t('menu.sortDown'), onChoose: () => onSort(id, 'desc', false) },
        onSort && column.sorted && { id: 'unsort', name: t('menu.unsort'), onChoose: () => onSort(id, null, false) },
        onFilter && { id: 'filter', name: t('menu.filter'), onChoose: () => onFilter(id) },
      ),
      itemsOf(
        onPin && { id: 'pin', name: t(column.pinned ? 'menu.unpin' : 'menu.pin'), onChoose: () => onPin(id, column.pinned !== true) },
        onMoveColumn && { id: 'left', name: t('menu.left'), keys: 'Alt+←', disabled: col === 0 || col === layout.pins, onChoose: () => moveColumn(col, -1) },
        onMoveColumn && {
          id: 'right',
          name: t('menu.right'),
          keys: 'Alt+→',
          disabled: col === layout.all.length - 1 || col === layout.pins - 1,
          onChoose: () => moveColumn(col, 1),
        },
        onWidth && { id: 'fit', name: t('menu.fit'), onChoose: () => onFit(id) },
      ),
      itemsOf(
        onInsertField && { id: 'insertLeft', name: t('menu.insertLeft'), onChoose: () => onInsertField(id, 'left') },
        onInsertField && { id: 'insertRight', name: t('menu.insertRight'), onChoose: () => onInsertField(id, 'right') },
      ),
      [...(props.columnMenu?.(column) ?? [])],
      itemsOf(onHide && { id: 'hide', name: t('menu.hide'), onChoose: () => onHide(id) }),
    );
  };
  const openColumn = (col: number, anchor: HTMLElement): void => {
    const column = layout.all[col]?.column;
    const items = column ? columnItems(column, col) : [];
    if (column && items.length > 0) setOpen({ anchor, label: t('columnMenu', { column: column.title }), items });
  };
  const openFoot = (col: number, anchor: HTMLElement): void => {
    const column = layout.all[col]?.column;
    if (!column) return;
    const choose = (choice: string | null) => (): void => props.onFooter?.(column.id, choice);
    setOpen({
      anchor,
      label: t('summarize', { column: column.title }),
      items: parts(
        [{ id: '', name: t('noSummary'), onChoose: choose(null) }],
        (column.footerChoices ?? []).map((one) => ({ id: `of ${one.id}`, name: one.name, onChoose: choose(one.id) })),
      ),
    });
  };
  /** At a place in the window. */
  const openCell = (x: number, y: number): void => {
    const { selection, row, index, column } = chosen;
    const anchor = spot.current;
    if (!selection || !row || index === null || column === null || !anchor) return;
    const ranges = rangesOf(selection).flatMap(({ top, bottom }) => {
      const from = chosen.indexOf(top);
      const to = chosen.indexOf(bottom);
      return from === null || to === null ? [] : [{ from, to: to + 1 }];
    });
    const range = rangeOf(selection);
    const writable = props.onWrite && layout.all.slice(range.left, range.right + 1).some((one) => one.column.edit !== 'none');
    const { onOpen, onAddRow, onCheck } = props;
    const isChecked = props.checkedAll === true || props.checked?.has(row.id) === true;
    anchor.style.left = `${String(x)}px`;
    anchor.style.top = `${String(y)}px`;
    setOpen({
      anchor,
      label: t('cellMenu'),
      items: parts(
        itemsOf(
          onOpen && { id: 'open', name: t('menu.open'), keys: t('keys.space'), onChoose: () => onOpen(row, index, column) },
          onCheck && { id: 'check', name: t(isChecked ? 'menu.uncheck' : 'menu.check'), onChoose: () => onCheck([row.id], !isChecked) },
          writable && { id: 'edit', name: t('menu.edit'), keys: 'F2', onChoose: () => edit.begin(null) },
        ),
        itemsOf(
          { id: 'copy', name: t('menu.copy'), keys: `${command}C`, onChoose: () => void writes.copy(null, false) },
          writable && { id: 'cut', name: t('menu.cut'), keys: `${command}X`, onChoose: () => void writes.copy(null, true) },
          writable && { id: 'fillDown', name: t('menu.fillDown'), keys: `${command}D`, onChoose: writes.fillDown },
          writable && { id: 'clear', name: t('menu.clear'), keys: 'Delete', onChoose: () => writes.clear() },
        ),
        itemsOf(onAddRow && { id: 'below', name: t('menu.insertBelow'), onChoose: () => onAddRow(index) }),
        [...(props.rowMenu?.({ row, index, column, rows: ranges }) ?? [])],
      ),
    });
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const head = target.closest('[data-hcol]');
    if (head) {
      event.preventDefault();
      return openColumn(Number(head.getAttribute('data-hcol')), (head.querySelector('.g-hmenu') ?? head) as HTMLElement);
    }
    if (!target.closest('[data-line]')) return;
    event.preventDefault();
    // A long press of a finger has its own way to the menu: not every browser tells of it here.
    if ((event.nativeEvent as PointerEvent).pointerType !== 'touch') openCell(event.clientX, event.clientY);
  };
  const close = (): void => {
    setOpen(null);
    edit.focus();
  };
  const menu: ReactNode = (
    <>
      <span ref={spot} className="g-spot" tabIndex={-1} onFocus={() => edit.focus()} />
      {open && (
        <Popup anchor={open.anchor} label={open.label} role="menu" width={232} onClose={() => setOpen(null)}>
          {open.items.map((one) => (
            <MenuRow
              key={one.id}
              type="button"
              role="menuitem"
              className={`g-item${one.apart ? ' g-apart' : ''}${one.danger ? ' g-danger' : ''}`}
              disabled={one.disabled === true}
              onClick={() => {
                close();
                one.onChoose();
              }}
            >
              <span>{one.name}</span>
              {one.keys !== undefined && (
                <kbd className="g-keys" aria-hidden="true">
                  {one.keys}
                </kbd>
              )}
            </MenuRow>
          ))}
        </Popup>
      )}
    </>
  );
  return { menu, openColumn, openFoot, openCell, onContextMenu, moveColumn };
}
export type Menus = ReturnType<typeof useMenus>;
