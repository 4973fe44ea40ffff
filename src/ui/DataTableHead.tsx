import ViewColumnIcon from '@mui/icons-material/ViewColumnOutlined';
import { Box, Checkbox, IconButton, Menu, MenuItem, TableCell, TableHead, TableRow, TableSortLabel } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { widthOf } from './DataTableCells';
import type { Column, Sort } from './tableColumns';

/** The arrow is drawn beside the name, and only the column that is sorted makes room for it. */
const sortLook = (align: 'left' | 'right') => ({
  position: 'relative',
  '& .MuiTableSortLabel-icon': { position: 'absolute', [align === 'right' ? 'right' : 'left']: '100%', mx: '1px', fontSize: 'var(--text-body)' },
});

/** Header cells: a click sorts, shift-click adds a column to the sort order. */
export const DataTableHead = <R,>({
  visible,
  sort,
  onSort,
}: {
  visible: readonly Column<R>[];
  sort: readonly Sort[];
  onSort: (column: Column<R>, add: boolean) => void;
}): ReactElement => (
  <TableHead>
    <TableRow>
      {visible.map((column, index) => {
        const place = sort.findIndex((one) => one.id === column.id);
        const dir = sort[place]?.dir;
        return (
          <TableCell
            key={column.id}
            scope="col"
            align={column.numeric === true ? 'right' : 'left'}
            {...(dir === undefined ? {} : { sortDirection: dir })}
            {...(column.hint === undefined ? {} : { title: column.hint })}
            sx={{
              color: 'text.secondary',
              fontWeight: 500,
              whiteSpace: 'nowrap',
              ...widthOf(column),
              ...(dir !== undefined && column.numeric === true ? { pl: '20px !important' } : {}),
              bgcolor: 'background.default',
              position: 'sticky',
              top: 0,
              zIndex: index === 0 ? 3 : 2,
              ...(index === 0 ? { left: 0 } : {}),
            }}
          >
            {column.sortable === true ? (
              <TableSortLabel
                active={dir !== undefined}
                direction={dir ?? (column.numeric === true ? 'desc' : 'asc')}
                onClick={(event) => onSort(column, event.shiftKey)}
                sx={sortLook(column.numeric === true ? 'right' : 'left')}
              >
                {column.name}
                {sort.length > 1 && place >= 0 && (
                  <Box component="span" aria-hidden sx={{ fontSize: 'var(--text-secondary)', ml: 0.25 }}>
                    {place + 1}
                  </Box>
                )}
              </TableSortLabel>
            ) : (
              column.name
            )}
          </TableCell>
        );
      })}
    </TableRow>
  </TableHead>
);

/** Width that the column menu takes beside the table, in px: its icon and padding. */
export const columnChoiceWidth = 28;

/** Column menu; outside the table, because columns are added and removed while it is open. */
export const ColumnChoice = <R,>({
  columns,
  visible,
  onChoose,
  onReset,
}: {
  columns: readonly Column<R>[];
  visible: readonly Column<R>[];
  onChoose: (ids: readonly string[]) => void;
  onReset: () => void;
}): ReactElement => {
  const { t } = useTranslation('chart');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const ids = visible.filter((one) => one.of === undefined).map((one) => one.id);
  return (
    <>
      <IconButton
        size="small"
        aria-label={t('table.columns')}
        title={t('table.columns')}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          position: 'absolute',
          top: 1,
          right: 0,
          zIndex: 4,
          p: 0.75,
          bgcolor: 'background.default',
          borderRadius: 0,
          minWidth: '0 !important',
          minHeight: '0 !important',
          '@media (pointer: coarse)': { '&::after': { content: '""', position: 'absolute', inset: -8 } },
          '@media print': { display: 'none' },
        }}
      >
        <ViewColumnIcon fontSize="small" />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {columns
          .slice(1)
          .filter((column) => column.of === undefined)
          .map((column) => {
            const on = ids.includes(column.id);
            return (
              <MenuItem
                key={column.id}
                dense
                role="menuitemcheckbox"
                aria-checked={on}
                onClick={() =>
                  onChoose(on ? ids.filter((one) => one !== column.id) : columns.map((one) => one.id).filter((one) => one === column.id || ids.includes(one)))
                }
              >
                <Checkbox checked={on} size="small" tabIndex={-1} disableRipple slotProps={{ input: { 'aria-hidden': true } }} sx={{ p: 0, mr: 1 }} />
                {column.name}
              </MenuItem>
            );
          })}
        <MenuItem
          dense
          onClick={() => {
            onReset();
            setAnchor(null);
          }}
          sx={{ borderTop: 1, borderColor: 'divider', color: 'text.secondary' }}
        >
          {t('table.resetColumns')}
        </MenuItem>
      </Menu>
    </>
  );
};
