import { Box, IconButton, MenuItem, Select } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Caret } from './Caret';
import { useFormat } from '@/lib/format';

/** Row range and total, page size (`20 / 页`), previous and next page. Absent if everything fits on one page of the smallest size. */
export const Pager = ({
  page,
  size,
  count,
  sizes,
  onPage,
  onSize,
}: {
  page: number;
  size: number;
  count: number;
  sizes: readonly number[];
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}): ReactElement | null => {
  const { t } = useTranslation('chart');
  const { number } = useFormat();
  const last = Math.max(1, Math.ceil(count / size));
  if (count <= (sizes[0] ?? 0) && page === 1) return null;
  return (
    <Box
      component="nav"
      aria-label={t('page.label')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 1,
        mt: 1,
        fontSize: 'var(--text-table)',
        color: 'text.secondary',
      }}
    >
      <span>{t('page.of', { from: number(Math.min(count, (page - 1) * size + 1)), to: number(Math.min(count, page * size)), total: number(count) })}</span>
      <Select
        value={size}
        onChange={(event) => onSize(event.target.value)}
        inputProps={{ 'aria-label': t('page.size') }}
        sx={{ fontSize: 'var(--text-table)', '& .MuiSelect-select': { py: '4px' } }}
      >
        {sizes.map((one) => (
          <MenuItem key={one} value={one}>
            {t('page.per', { size: one })}
          </MenuItem>
        ))}
      </Select>
      <IconButton size="small" disabled={page <= 1} aria-label={t('page.previous')} onClick={() => onPage(page - 1)}>
        <Caret to="left" />
      </IconButton>
      <IconButton size="small" disabled={page >= last} aria-label={t('page.next')} onClick={() => onPage(page + 1)}>
        <Caret to="right" />
      </IconButton>
    </Box>
  );
};
