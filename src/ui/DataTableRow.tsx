import ChevronRightIcon from '@mui/icons-material/ChevronRight';
import { Box, ButtonBase, IconButton, TableCell, TableRow } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from './tableColumns';

const firstCell = { position: 'sticky', left: 0, zIndex: 1, bgcolor: 'background.default', maxWidth: 420 } as const;

const Bar = ({ share, side }: { share: number; side: 'left' | 'right' }): ReactElement => (
  <Box
    aria-hidden
    component="span"
    sx={{ position: 'absolute', insetBlock: 3, [side]: 4, borderRadius: '2px', bgcolor: 'var(--info-ground)', zIndex: 0 }}
    style={{ width: `calc(${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}% - 8px)`, minWidth: share > 0 ? 2 : 0 }}
  />
);

type AskFigure<R> = (asked: { row: R | null; column: string; anchor: HTMLElement }) => void;

/** A figure that can be explained. A plain element, because a table has hundreds of them. */
const Figure = ({
  hint,
  first = false,
  onAsk,
  children,
}: {
  hint: string | undefined;
  /** Part of the Tab order. */ first?: boolean;
  onAsk: (anchor: HTMLElement) => void;
  children: ReactNode;
}): ReactElement => (
  <button
    type="button"
    className="figure"
    aria-haspopup="dialog"
    tabIndex={first ? 0 : -1}
    title={hint}
    style={{ position: 'relative' }}
    onClick={(event) => {
      event.stopPropagation();
      onAsk(event.currentTarget);
    }}
  >
    {children}
  </button>
);

export const DataTableRow = <R,>({
  row,
  index,
  columns,
  height,
  active,
  open,
  onFocus,
  onOpen,
  onRow,
  hint,
  onFigure,
  figureHint,
  actions,
  read,
  onRead,
  fresh,
}: {
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
  onFigure?: AskFigure<R>;
  figureHint?: string | undefined;
  actions?: (row: R) => ReactNode;
  read: boolean;
  onRead?: (on: boolean) => void;
  fresh: boolean;
}): ReactElement => {
  const { t } = useTranslation('chart');
  const act = open === undefined ? onRow : onOpen;
  return (
    <TableRow
      hover
      {...(act === undefined
        ? {}
        : {
            onClick: () => {
              if (window.getSelection()?.toString() !== '') return;
              if (open === undefined) onRow?.(row);
              else onOpen();
            },
          })}
      {...(onRead === undefined ? {} : { onPointerEnter: () => onRead(true), onPointerLeave: () => onRead(false) })}
      sx={{
        height,
        cursor: act === undefined ? 'default' : 'pointer',
        ...(read ? { '& td, & th': { bgcolor: 'action.hover' } } : {}),
        '& .row-actions': { opacity: 0, '@media (hover: none)': { opacity: 1 } },
        '&:hover .row-actions, &:focus-within .row-actions': { opacity: 1 },
        '&:hover th': { bgcolor: 'var(--hover)' },
        ...(fresh
          ? {
              animation: 'row-fresh 1600ms ease-out',
              '@keyframes row-fresh': { from: { backgroundColor: 'var(--info-ground)' }, to: { backgroundColor: 'transparent' } },
              '@media (prefers-reduced-motion: reduce)': { animation: 'none' },
            }
          : {}),
      }}
    >
      {columns.map((column, at) => {
        const share = column.share?.(row) ?? null;
        if (at > 0) {
          return (
            <TableCell
              key={column.id}
              align={column.numeric === true ? 'right' : 'left'}
              sx={{ position: 'relative', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', minWidth: column.minWidth }}
            >
              {share !== null && <Bar share={share} side="right" />}
              {column.figure === true && onFigure !== undefined ? (
                <Figure hint={figureHint} onAsk={(anchor) => onFigure({ row, column: column.id, anchor })}>
                  {column.cell(row)}
                </Figure>
              ) : (
                <Box component="span" sx={{ position: 'relative' }}>
                  {column.cell(row)}
                </Box>
              )}
            </TableCell>
          );
        }
        return (
          <TableCell
            key={column.id}
            component="th"
            scope="row"
            sx={{
              ...firstCell,
              fontWeight: 400,
              minWidth: column.minWidth,
              ...(column.fills === true // Beside a max-width of 0 a cell's min-width is ignored: on a phone the cell is as wide as its text, up to this.
                ? { width: '100%', maxWidth: { xs: 160, md: 0 }, minWidth: { xs: 120, md: 200 } }
                : {}),
            }}
          >
            {share !== null && <Bar share={share} side="left" />}
            <Box sx={{ position: 'relative', display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
              {open !== undefined && (
                <IconButton
                  size="small"
                  tabIndex={-1}
                  aria-hidden
                  sx={{ p: 0, ml: -0.5, transform: open ? 'rotate(90deg)' : 'none', transition: 'transform 120ms' }}
                >
                  <ChevronRightIcon sx={{ fontSize: 16 }} />
                </IconButton>
              )}
              {act === undefined ? (
                <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 }}>
                  {column.cell(row)}
                </Box>
              ) : (
                <ButtonBase
                  data-row={index}
                  tabIndex={active ? 0 : -1}
                  onFocus={onFocus}
                  disableRipple
                  {...(hint === undefined ? {} : { title: hint })}
                  {...(open === undefined ? {} : { 'aria-expanded': open })}
                  onClick={(event) => {
                    event.stopPropagation();
                    if (open === undefined) onRow?.(row);
                    else onOpen();
                  }}
                  sx={{
                    font: 'inherit',
                    textAlign: 'left',
                    display: 'block',
                    overflow: 'hidden',
                    textOverflow: 'ellipsis',
                    whiteSpace: 'nowrap',
                    minWidth: 0,
                    borderRadius: 1,
                    userSelect: 'text',
                  }}
                >
                  {column.cell(row)}
                </ButtonBase>
              )}
              {actions !== undefined && (
                <Box
                  className="row-actions"
                  component="span"
                  aria-label={t('table.actions')}
                  role="group"
                  onClick={(event) => event.stopPropagation()}
                  sx={{ ml: 'auto', display: 'flex', transition: 'opacity 120ms' }}
                >
                  {actions(row)}
                </Box>
              )}
            </Box>
          </TableCell>
        );
      })}
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
  onFigure?: AskFigure<R>;
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
          sx={{ fontWeight: 600, whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', ...(at === 0 ? { ...firstCell, fontWeight: 600 } : {}) }}
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
