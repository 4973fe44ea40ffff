import { Box, Table, TableBody, TableContainer } from '@mui/material';
import { Fragment, type ReactElement, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '@/lib/useMedia';
import { ColumnChoice, columnChoiceWidth, DataTableHead } from './DataTableHead';
import { DataTableRow, TotalRow } from './DataTableRow';
import type { DataTableProps } from './tableProps';
import { maxTableHeight, useOpenRows, useRowNavigation, useTableColumns, useTableSort, useVirtualRows } from './useDataTable';

/** Looks like plain text until hovered. */
const figureLook = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: '2px 0',
  cursor: 'help',
  '&:hover, &:focus-visible': { textDecoration: 'underline dotted', textUnderlineOffset: '3px' },
  // A touch target larger than the digits, but within the cell.
  '@media (pointer: coarse)': { '&::after': { content: '""', position: 'absolute', insetBlock: -10, right: -8, width: 'calc(100% + 16px)', minWidth: 44 } },
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

const frameLook = ({ hasChoice, hasFigures, virtual }: { hasChoice: boolean; hasFigures: boolean; virtual: boolean }) => ({
  // Touch targets extend beyond the last row, which must not make the frame scroll vertically.
  overflow: virtual ? 'auto' : 'auto hidden',
  position: 'relative',
  containerType: 'inline-size',
  ...edges,
  // The column menu is beside the frame, so that it never covers a header that scrolls below it.
  ...(hasChoice ? { width: 'auto', mr: `${columnChoiceWidth}px` } : {}),
  ...(virtual ? { maxHeight: maxTableHeight } : {}),
  ...(hasFigures ? { '& .figure': figureLook } : {}),
  '@media print': { maxHeight: 'none', overflow: 'visible', mr: 0 },
});

const DetailRow = ({ columnCount, children }: { columnCount: number; children: ReactNode }): ReactElement => (
  <tr>
    <Box component="td" colSpan={columnCount} sx={{ p: 0, borderBottom: 1, borderColor: 'divider', bgcolor: 'action.hover' }}>
      <Box sx={{ position: 'sticky', left: 0, width: '100cqw' }}>{children}</Box>
    </Box>
  </tr>
);

const EmptyRow = ({ columnCount, children }: { columnCount: number; children: ReactNode }): ReactElement => (
  <tr>
    <Box component="td" colSpan={columnCount} sx={{ color: 'text.secondary', py: '24px !important' }}>
      {children}
    </Box>
  </tr>
);

const figurePropsOf = <R,>({ onFigure, figureHint }: DataTableProps<R>) => (onFigure === undefined ? {} : { onFigure, figureHint });

/** What the properties of the table say about one row, without its place and its state. */
const rowPropsOf = <R,>(props: DataTableProps<R>, row: R) => {
  const { rowKey, onRow, rowHint, actions, rowReading, fresh } = props;
  return {
    ...(onRow === undefined ? {} : { onRow }),
    ...(rowHint === undefined ? {} : { hint: rowHint(row) }),
    ...figurePropsOf(props),
    ...(actions === undefined ? {} : { actions }),
    read: rowReading !== undefined && rowReading.index === rowReading.of(row),
    ...(rowReading === undefined ? {} : { onRead: (on: boolean) => rowReading.set(on ? rowReading.of(row) : null) }),
    fresh: fresh?.has(rowKey(row)) === true,
  };
};

/** Rows and columns as look.md requires: right-aligned numbers, a sticky first column, sorting, totals, keyboard navigation, many rows. */
export const DataTable = <R,>(props: DataTableProps<R>): ReactElement => {
  const { label, columns, rowKey, onFigure, detail, totalLabel, dense = false, remember, empty } = props;
  const { t } = useTranslation('chart');
  const frame = useRef<HTMLDivElement>(null);
  const byTouch = useMedia('(pointer: coarse)');
  const rowHeight = byTouch ? 44 : dense ? 28 : 36;
  const { sort, sorted, sortBy } = useTableSort(props);
  const { visible, choose } = useTableColumns(props);
  const { virtual, indices, before, after, scrollTo } = useVirtualRows(frame, { count: sorted.length, rowHeight, enabled: detail === undefined });
  const expansion = useOpenRows();
  const { active, setActive, onKeyDown } = useRowNavigation(frame, {
    rows: sorted,
    rowKey,
    hasFigures: onFigure !== undefined,
    expansion: detail === undefined ? undefined : expansion,
    scrollTo,
  });

  const draw = (row: R, index: number): ReactElement => {
    const key = rowKey(row);
    return (
      <Fragment key={key}>
        <DataTableRow
          row={row}
          index={index}
          columns={visible}
          height={rowHeight}
          active={index === active}
          open={detail === undefined ? undefined : expansion.open.has(key)}
          onFocus={() => setActive(index)}
          onOpen={() => expansion.toggle(key)}
          {...rowPropsOf(props, row)}
        />
        {detail !== undefined && expansion.open.has(key) && <DetailRow columnCount={visible.length}>{detail(row)}</DetailRow>}
      </Fragment>
    );
  };

  return (
    <Box sx={{ position: 'relative' }}>
      {remember !== undefined && <ColumnChoice columns={columns} visible={visible} onChoose={choose} onReset={() => choose(null)} />}
      <TableContainer
        ref={frame}
        onKeyDown={onKeyDown}
        role="group"
        aria-label={label}
        tabIndex={0}
        sx={frameLook({ hasChoice: remember !== undefined, hasFigures: onFigure !== undefined, virtual })}
      >
        <Table
          size="small"
          aria-label={label}
          aria-rowcount={sorted.length}
          sx={{ fontSize: 'var(--text-table)', '& td, & th': { fontSize: 'var(--text-table)', py: 0, px: 1, height: rowHeight, borderColor: 'divider' } }}
        >
          <DataTableHead visible={visible} sort={sort} onSort={sortBy} />
          <TableBody>
            {totalLabel !== undefined && sorted.length > 0 && <TotalRow label={totalLabel} columns={visible} {...figurePropsOf(props)} />}
            {virtual && before > 0 && <tr aria-hidden style={{ height: before }} />}
            {virtual ? indices.map((index) => draw(sorted[index] as R, index)) : sorted.map(draw)}
            {virtual && after > 0 && <tr aria-hidden style={{ height: after }} />}
            {sorted.length === 0 && <EmptyRow columnCount={visible.length}>{empty ?? t('table.empty')}</EmptyRow>}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  );
};
