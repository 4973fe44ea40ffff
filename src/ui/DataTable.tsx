import { Box, Table, TableBody, TableContainer } from '@mui/material';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, nextSort, readColumns, type Sort, sortRows, writeColumns } from './tableColumns';
import { ColumnChoice, columnChoiceWidth, DataTableHead } from './DataTableHead';
import { DataTableRow, TotalRow } from './DataTableRow';
import { moveAmongFigures } from './tableFigures';

/** Tables with more rows than this are virtualized. */
export const virtualAbove = 200;
const tallest = 640;
/** Looks like plain text until hovered. */
const figureLook = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: '2px 0',
  cursor: 'help',
  '&:hover, &:focus-visible': { textDecoration: 'underline dotted', textUnderlineOffset: '3px' },
} as const;

/** Shadows at the edges that have more columns beyond them; a cover that moves with the content hides them at the ends. */
const edges = {
  background: [
    'linear-gradient(to right, var(--canvas) 40%, transparent) left / 32px 100% no-repeat local',
    'linear-gradient(to left, var(--canvas) 40%, transparent) right / 32px 100% no-repeat local',
    'linear-gradient(to right, var(--n-4), transparent) left / 10px 100% no-repeat scroll',
    'linear-gradient(to left, var(--n-4), transparent) right / 10px 100% no-repeat scroll',
  ].join(', '),
} as const;

export type DataTableProps<R> = {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  readonly sort?: readonly Sort[];
  /** Absent: the table sorts its own rows. */
  readonly onSort?: (sort: readonly Sort[]) => void;
  /** Shift-click adds a column to the sort order; off if the server sorts by one column only. */
  readonly multiSort?: boolean;
  /** A click or Enter on a row. */
  readonly onRow?: (row: R) => void;
  readonly rowHint?: (row: R) => string;
  /** A figure was activated; `row` is null for the total. */
  readonly onFigure?: (asked: { readonly row: R | null; readonly column: string; readonly anchor: HTMLElement }) => void;
  /** Describes what a click on a figure does. */
  readonly figureHint?: string;
  /** Shown at the end of the first cell on hover and on focus. */
  readonly actions?: (row: R) => ReactNode;
  /** Content of an expanded row; makes rows expandable. */
  readonly detail?: (row: R) => ReactNode;
  readonly totalLabel?: string;
  readonly dense?: boolean;
  /** Storage key of the column choice; absent: columns cannot be chosen. */
  readonly remember?: string;
  /** The columns shown, if they are stored elsewhere (in the address); null: the table's default. Only with `onChoose`. */
  readonly chosen?: readonly string[] | null;
  readonly onChoose?: (ids: readonly string[] | null) => void;
  /** Shares the highlighted row with a chart beside the table; `of` returns the chart point of a row. */
  readonly rowReading?: { readonly of: (row: R) => number; readonly index: number | null; readonly set: (index: number | null) => void };
  readonly empty?: ReactNode;
  readonly fresh?: ReadonlySet<string>;
};

/** Rows and columns as look.md requires: right-aligned numbers, a sticky first column, sorting, totals, keyboard navigation, many rows. */
export const DataTable = <R,>({
  label,
  columns,
  rows,
  rowKey,
  sort: givenSort,
  onSort,
  multiSort = onSort === undefined,
  onRow,
  rowHint,
  onFigure,
  figureHint,
  actions,
  detail,
  chosen: givenChoice,
  onChoose,
  totalLabel,
  dense = false,
  remember,
  rowReading,
  empty,
  fresh,
}: DataTableProps<R>): ReactElement => {
  const { t } = useTranslation('chart');
  const frame = useRef<HTMLDivElement>(null);
  const [ownSort, setOwnSort] = useState<readonly Sort[]>(givenSort ?? []);
  const [ownChoice, setChosen] = useState(() => (remember === undefined ? null : readColumns(remember)));
  const chosen = onChoose === undefined ? ownChoice : (givenChoice ?? null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);

  const sort = onSort === undefined ? ownSort : (givenSort ?? []);
  const shown = columns.filter((column, index) => index === 0 || (chosen === null ? column.extra !== true : chosen.includes(column.id)));
  const sorted = useMemo(() => (onSort === undefined ? sortRows(rows, columns, ownSort) : rows), [rows, columns, ownSort, onSort]);
  const rowHeight = dense ? 28 : 36;
  const virtual = sorted.length > virtualAbove && detail === undefined;
  const virtualizer = useVirtualizer({
    count: virtual ? sorted.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: tallest },
  });

  const sortBy = (column: Column<R>, add: boolean): void => {
    const next = nextSort(sort, column.id, add && multiSort, column.numeric === true);
    if (onSort === undefined) setOwnSort(next);
    else onSort(next);
  };
  const choose = (ids: readonly string[] | null): void => {
    setChosen(ids);
    onChoose?.(ids);
    if (remember !== undefined) writeColumns(remember, ids);
  };
  const toggle = (key: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  const focusRow = (index: number): void => {
    const next = Math.min(sorted.length - 1, Math.max(0, index));
    setAt(next);
    if (virtual) virtualizer.scrollToIndex(next);
    // The row may have to be rendered first.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = (event.target as HTMLElement).dataset['row'];
    if (onFigure !== undefined && moveAmongFigures(event)) {
      event.preventDefault();
      return;
    }
    if (from === undefined) return;
    const index = Number(from);
    const row = sorted[index];
    const key = row === undefined ? '' : rowKey(row);
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      End: () => focusRow(sorted.length - 1),
      ...(detail === undefined
        ? {}
        : {
            ArrowRight: () => {
              if (!open.has(key)) toggle(key);
            },
            ArrowLeft: () => {
              if (open.has(key)) toggle(key);
            },
          }),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  const draw = (row: R, index: number): ReactElement => {
    const key = rowKey(row);
    return (
      <Fragment key={key}>
        <DataTableRow
          row={row}
          index={index}
          columns={shown}
          height={rowHeight}
          active={index === at}
          open={detail === undefined ? undefined : open.has(key)}
          onFocus={() => setAt(index)}
          onOpen={() => toggle(key)}
          {...(onRow === undefined ? {} : { onRow })}
          {...(rowHint === undefined ? {} : { hint: rowHint(row) })}
          {...(onFigure === undefined ? {} : { onFigure, figureHint })}
          {...(actions === undefined ? {} : { actions })}
          read={rowReading !== undefined && rowReading.index === rowReading.of(row)}
          {...(rowReading === undefined ? {} : { onRead: (on: boolean) => rowReading.set(on ? rowReading.of(row) : null) })}
          fresh={fresh?.has(key) === true}
        />
        {detail !== undefined && open.has(key) && (
          <tr>
            <Box component="td" colSpan={shown.length} sx={{ p: 0, borderBottom: 1, borderColor: 'divider', bgcolor: 'action.hover' }}>
              <Box sx={{ position: 'sticky', left: 0, width: '100cqw' }}>{detail(row)}</Box>
            </Box>
          </tr>
        )}
      </Fragment>
    );
  };
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual ? virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0) : 0;

  return (
    <Box sx={{ position: 'relative' }}>
      {remember !== undefined && <ColumnChoice columns={columns} shown={shown} onChoose={choose} onReset={() => choose(null)} />}
      <TableContainer
        ref={frame}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={label}
        tabIndex={0}
        sx={{
          overflow: 'auto',
          position: 'relative',
          containerType: 'inline-size',
          ...edges,
          // The column menu is beside the frame, so that it never covers a header that scrolls below it.
          ...(remember === undefined ? {} : { width: 'auto', mr: `${columnChoiceWidth}px` }),
          ...(virtual ? { maxHeight: tallest } : {}),
          ...(onFigure === undefined ? {} : { '& .figure': figureLook }),
          '@media print': { maxHeight: 'none', overflow: 'visible', mr: 0 },
        }}
      >
        <Table
          size="small"
          aria-label={label}
          aria-rowcount={sorted.length}
          sx={{ fontSize: 13, '& td, & th': { fontSize: 13, py: 0, px: 1.5, height: rowHeight, borderColor: 'divider' } }}
        >
          <DataTableHead shown={shown} sort={sort} onSort={sortBy} />
          <TableBody>
            {totalLabel !== undefined && sorted.length > 0 && (
              <TotalRow label={totalLabel} columns={shown} {...(onFigure === undefined ? {} : { onFigure, figureHint })} />
            )}
            {virtual && before > 0 && <tr aria-hidden style={{ height: before }} />}
            {virtual ? items.map((item) => draw(sorted[item.index] as R, item.index)) : sorted.map(draw)}
            {virtual && after > 0 && <tr aria-hidden style={{ height: after }} />}
            {sorted.length === 0 && (
              <tr>
                <Box component="td" colSpan={shown.length} sx={{ color: 'text.secondary', py: '24px !important' }}>
                  {empty ?? t('table.empty')}
                </Box>
              </tr>
            )}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  );
};
