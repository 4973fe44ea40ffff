import { TableCell, TableRow } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { Figure, FirstCell, firstCell, PlainName, RowButton, ValueCell, widthOf } from './DataTableCells';
import type { Column } from './tableColumns';
import type { ExplainFigure } from './tableProps';

type RowProps<R> = {
  row: R;
  index: number;
  columns: readonly Column<R>[];
  height: number;
  /** The row that Tab focuses; arrow keys move on from it. */
  active: boolean;
  open: boolean | undefined;
  onFocus: () => void;
  onOpen: () => void;
  onRow?: (row: R) => void;
  hint?: string;
  onFigure?: ExplainFigure<R>;
  figureHint?: string | undefined;
  actions?: (row: R) => ReactNode;
  read: boolean;
  onRead?: (on: boolean) => void;
  fresh: boolean;
};

const rowLook = ({ height, clickable, read, fresh }: { height: number; clickable: boolean; read: boolean; fresh: boolean }) => ({
  height,
  cursor: clickable ? 'pointer' : 'default',
  ...(read ? { '& td, & th': { bgcolor: 'action.hover' } } : {}),
  '& .row-actions': {
    opacity: 0,
    '@media (hover: none) and (min-width: 720px)': { opacity: 1 },
    // On a phone they would leave no room for the name: they appear in the row that was tapped.
    '@media (hover: none) and (max-width: 719px)': { pointerEvents: 'none' },
  },
  '&:hover .row-actions, &:focus-within .row-actions': { opacity: 1, pointerEvents: 'auto' },
  '&:hover th': { bgcolor: 'var(--hover)' },
  ...(fresh
    ? {
        animation: 'row-fresh 1600ms ease-out',
        '@keyframes row-fresh': { from: { backgroundColor: 'var(--info-ground)' }, to: { backgroundColor: 'transparent' } },
        '@media (prefers-reduced-motion: reduce)': { animation: 'none' },
      }
    : {}),
});

export const DataTableRow = <R,>(props: RowProps<R>): ReactElement => {
  const { row, index, columns, height, active, open, onFocus, onOpen, onRow, hint, onFigure, figureHint, actions, read, onRead, fresh } = props;
  const act = open === undefined ? onRow && (() => onRow(row)) : onOpen;
  const onClick = () => {
    // A drag that selects text ends in a click, too.
    if (window.getSelection()?.toString() === '') act?.();
  };
  return (
    <TableRow
      hover
      {...(act === undefined ? {} : { onClick })}
      {...(onRead === undefined ? {} : { onPointerEnter: () => onRead(true), onPointerLeave: () => onRead(false) })}
      sx={rowLook({ height, clickable: act !== undefined, read, fresh })}
    >
      {columns.map((column, at) =>
        at === 0 ? (
          <FirstCell key={column.id} row={row} column={column} open={open} actions={actions}>
            {act === undefined ? (
              <PlainName>{column.cell(row)}</PlainName>
            ) : (
              <RowButton index={index} active={active} open={open} hint={hint} onFocus={onFocus} onAct={act}>
                {column.cell(row)}
              </RowButton>
            )}
          </FirstCell>
        ) : (
          <ValueCell key={column.id} row={row} column={column} onFigure={onFigure} figureHint={figureHint} />
        ),
      )}
    </TableRow>
  );
};

export const TotalRow = <R,>({
  label,
  columns,
  onFigure,
  figureHint,
}: {
  label: string;
  columns: readonly Column<R>[];
  onFigure?: ExplainFigure<R>;
  figureHint?: string | undefined;
}): ReactElement => {
  const first = columns.find((column) => column.figure === true)?.id;
  return (
    <TableRow>
      {columns.map((column, at) => (
        <TableCell
          key={column.id}
          {...(at === 0 ? { component: 'th', scope: 'row' } : {})}
          align={column.numeric === true ? 'right' : 'left'}
          sx={{
            fontWeight: 600,
            whiteSpace: 'nowrap',
            fontVariantNumeric: 'tabular-nums',
            ...widthOf(column),
            ...(at === 0 ? { ...firstCell, fontWeight: 600 } : {}),
          }}
        >
          {at === 0 ? (
            label
          ) : column.figure === true && onFigure !== undefined ? (
            <Figure hint={figureHint} first={column.id === first} onAsk={(anchor) => onFigure({ row: null, column: column.id, anchor })}>
              {column.total}
            </Figure>
          ) : (
            column.total
          )}
        </TableCell>
      ))}
    </TableRow>
  );
};
