import { Box, ButtonBase, IconButton, TableCell } from '@mui/material';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Caret } from './Caret';
import type { Column } from './tableColumns';
import type { ExplainFigure } from './tableProps';

export const firstCell = { position: 'sticky', left: 0, zIndex: 1, bgcolor: 'background.default', maxWidth: 420 } as const;

/** The width of a column's cells. One with an exact width, such as a difference, has less space around it. */
export const widthOf = <R,>({ width, minWidth }: Column<R>) =>
  width === undefined ? { minWidth } : { width, minWidth: width, paddingInline: '4px 8px !important' };

/** The name takes what the figures leave, in a wide table at most 420 px, so that the figures stay near it. */
const nameWidth = {
  // Beside a max-width of 0 a cell's min-width is ignored: on a phone the cell is as wide as its text, up to this.
  width: '100%',
  maxWidth: { xs: 200, md: 0 },
  minWidth: { xs: 120, md: 200 },
  '@container (min-width: 900px)': { width: 'min(420px, 36cqw)', minWidth: 200, maxWidth: 'min(420px, 36cqw)' },
} as const;

const Bar = ({ share, side }: { share: number; side: 'left' | 'right' }): ReactElement => (
  <Box
    aria-hidden
    component="span"
    sx={{ position: 'absolute', insetBlock: 3, [side]: 4, borderRadius: '2px', bgcolor: 'var(--info-ground)', zIndex: 0 }}
    style={{ width: `calc(${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}% - 8px)`, minWidth: share > 0 ? 2 : 0 }}
  />
);

/** A figure that can be explained. A plain element, because a table has hundreds of them. */
export const Figure = ({
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

/** A cell right of the first column. */
export const ValueCell = <R,>({
  row,
  column,
  onFigure,
  figureHint,
}: {
  row: R;
  column: Column<R>;
  onFigure?: ExplainFigure<R> | undefined;
  figureHint?: string | undefined;
}): ReactElement => {
  const share = column.share?.(row) ?? null;
  return (
    <TableCell
      align={column.numeric === true ? 'right' : 'left'}
      sx={{ position: 'relative', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums', ...widthOf(column) }}
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
};

/** The header cell of a row. `children`: what names the row; `open`: whether it is expanded, undefined if it cannot be. */
export const FirstCell = <R,>({
  row,
  column,
  open,
  actions,
  children,
}: {
  row: R;
  column: Column<R>;
  open: boolean | undefined;
  actions: ((row: R) => ReactNode) | undefined;
  children: ReactNode;
}): ReactElement => {
  const share = column.share?.(row) ?? null;
  return (
    <TableCell
      component="th"
      scope="row"
      sx={{
        ...firstCell,
        fontWeight: 400,
        minWidth: column.minWidth,
        ...(column.fills === true ? nameWidth : {}),
      }}
    >
      {share !== null && <Bar share={share} side="left" />}
      <Box
        sx={{
          position: 'relative',
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          minWidth: 0,
          // A long name does not widen the column: it is shortened before figures have to be scrolled to.
          ...(column.fills === true ? { '@container (min-width: 900px)': { contain: 'inline-size' } } : {}),
        }}
      >
        {open !== undefined && (
          <IconButton size="small" tabIndex={-1} aria-hidden sx={{ p: 0, ml: -0.5, transform: open ? 'rotate(90deg)' : 'none', transition: 'transform 120ms' }}>
            <Caret to="right" />
          </IconButton>
        )}
        {children}
        {actions !== undefined && <RowActions>{actions(row)}</RowActions>}
      </Box>
    </TableCell>
  );
};

/** Except on a tablet the actions appear over the end of the name, so that they take no width from it. */
const overEnd = {
  '@media (hover: hover), (max-width: 719px)': {
    position: 'absolute',
    right: 0,
    insetBlock: 0,
    alignItems: 'center',
    background: 'linear-gradient(var(--hover), var(--hover)) var(--canvas)',
  },
} as const;

const RowActions = ({ children }: { children: ReactNode }): ReactElement => {
  const { t } = useTranslation('chart');
  return (
    <Box
      className="row-actions"
      component="span"
      aria-label={t('table.actions')}
      role="group"
      onClick={(event: MouseEvent) => event.stopPropagation()}
      sx={{ ml: 'auto', display: 'flex', transition: 'opacity 120ms', ...overEnd }}
    >
      {children}
    </Box>
  );
};

const clipped = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 } as const;

/** The name of a row that cannot be clicked. On touch screens it is as high as the row, so that `overflow: hidden` does not clip the touch target of a link in it. */
export const PlainName = ({ children }: { children: ReactNode }): ReactElement => (
  <Box
    component="span"
    sx={{ ...clipped, '@media (pointer: coarse)': { my: '-11px', py: '11px' } }}
    title={typeof children === 'string' ? children : undefined}
  >
    {children}
  </Box>
);

type RowButtonProps = {
  index: number;
  active: boolean;
  open: boolean | undefined;
  hint: string | undefined;
  onFocus: () => void;
  onAct: () => void;
  children: ReactNode;
};

/** The name of a row as the button that opens or expands it; keyboard navigation finds it by `data-row`. */
export const RowButton = ({ index, active, open, hint, onFocus, onAct, children }: RowButtonProps): ReactElement => (
  <ButtonBase
    data-row={index}
    tabIndex={active ? 0 : -1}
    onFocus={onFocus}
    disableRipple
    {...(hint === undefined ? {} : { title: hint })}
    {...(open === undefined ? {} : { 'aria-expanded': open })}
    onClick={(event) => {
      event.stopPropagation();
      onAct();
    }}
    sx={{ font: 'inherit', textAlign: 'left', display: 'block', ...clipped, borderRadius: 1, userSelect: 'text' }}
  >
    {children}
  </ButtonBase>
);
