import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { type Column, nextSort, readColumns, type Sort, sortRows, writeColumns } from './tableColumns';
import { moveAmongFigures } from './tableFigures';
import type { DataTableProps } from './tableProps';

/** Tables with more rows than this are virtualized. */
const virtualAbove = 200;
/** Height in px above which a virtualized table scrolls in its frame. */
export const maxTableHeight = 640;

/** The rows in order, and the change of order by a header. The order belongs to the caller if there is an `onSort`. */
export function useTableSort<R>({
  columns,
  rows,
  sort: callerSort,
  onSort,
  multiSort = onSort === undefined,
}: Pick<DataTableProps<R>, 'columns' | 'rows' | 'sort' | 'onSort' | 'multiSort'>) {
  const [ownSort, setOwnSort] = useState<readonly Sort[]>(callerSort ?? []);
  const sort = onSort === undefined ? ownSort : (callerSort ?? []);
  const sorted = useMemo(() => (onSort === undefined ? sortRows(rows, columns, ownSort) : rows), [rows, columns, ownSort, onSort]);
  const sortBy = (column: Column<R>, add: boolean): void => {
    const next = nextSort(sort, column.id, add && multiSort, column.numeric === true);
    if (onSort === undefined) setOwnSort(next);
    else onSort(next);
  };
  return { sort, sorted, sortBy };
}

/** The visible columns; the first is always one of them. */
export function useTableColumns<R>({
  columns,
  remember,
  chosen: callerChoice,
  onChoose,
}: Pick<DataTableProps<R>, 'columns' | 'remember' | 'chosen' | 'onChoose'>) {
  const [ownChoice, setOwnChoice] = useState(() => (remember === undefined ? null : readColumns(remember)));
  const chosen = onChoose === undefined ? ownChoice : (callerChoice ?? null);
  const isChosen = ({ id, extra }: Column<R>): boolean => (chosen === null ? extra !== true : chosen.includes(id));
  const visible = columns.filter((column, index) => {
    const main = column.of === undefined ? column : columns.find(({ id }) => id === column.of);
    return index === 0 || (main !== undefined && isChosen(main));
  });
  const choose = (ids: readonly string[] | null): void => {
    setOwnChoice(ids);
    onChoose?.(ids);
    if (remember !== undefined) writeColumns(remember, ids);
  };
  return { visible, choose };
}

/** Which rows of a long table are rendered, and the heights that stand for the rows above and below them. */
export function useVirtualRows(frame: RefObject<HTMLElement | null>, { count, rowHeight, enabled }: { count: number; rowHeight: number; enabled: boolean }) {
  const virtual = enabled && count > virtualAbove;
  const virtualizer = useVirtualizer({
    count: virtual ? count : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: maxTableHeight },
  });
  const items = virtualizer.getVirtualItems();
  return {
    virtual,
    indices: items.map((item) => item.index),
    before: items[0]?.start ?? 0,
    after: virtual ? virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0) : 0,
    scrollTo: (index: number): void => {
      if (virtual) virtualizer.scrollToIndex(index);
    },
  };
}

/** Keys of the expanded rows. */
export function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return { open, toggle };
}

type Navigation<R> = {
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  readonly hasFigures: boolean;
  /** Absent: rows cannot be expanded. */
  readonly expansion: ReturnType<typeof useOpenRows> | undefined;
  readonly scrollTo: (index: number) => void;
};

/** Keyboard access to rows: only `active` is in the Tab order, arrow keys move on from it and expand or collapse it. */
export function useRowNavigation<R>(frame: RefObject<HTMLElement | null>, { rows, rowKey, hasFigures, expansion, scrollTo }: Navigation<R>) {
  const [active, setActive] = useState(0);
  const focusRow = (index: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, index));
    setActive(next);
    scrollTo(next);
    // The row may have to be rendered first.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = (event.target as HTMLElement).dataset['row'];
    if (hasFigures && moveAmongFigures(event)) {
      event.preventDefault();
      return;
    }
    if (from === undefined) return;
    const index = Number(from);
    const row = rows[index];
    const key = row === undefined ? '' : rowKey(row);
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ...(expansion && {
        ArrowRight: () => {
          if (!expansion.open.has(key)) expansion.toggle(key);
        },
        ArrowLeft: () => {
          if (expansion.open.has(key)) expansion.toggle(key);
        },
      }),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return { active, setActive, onKeyDown };
}
