import GridView from '@mui/icons-material/GridViewOutlined';
import TableRows from '@mui/icons-material/TableRowsOutlined';
import { Box, InputAdornment, NativeSelect, OutlinedInput, ToggleButton, ToggleButtonGroup } from '@mui/material';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Kbd } from '@/ui/Kbd';
import { SearchIcon } from '@/ui/SearchIcon';
import { shows, sorts } from './siteRows';
import type { Show, SiteSort } from './siteRows';

export type HomeView = 'cards' | 'table';
export const homeViews = ['cards', 'table'] as const;

type Props = {
  readonly q: string;
  readonly show: Show;
  readonly sort: SiteSort;
  /** null if there is no choice. */
  readonly view: HomeView | null;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly onSearch: (q: string) => void;
  readonly onShow: (show: Show) => void;
  readonly onSort: (sort: SiteSort) => void;
  readonly onView: (view: HomeView) => void;
  readonly onLeaveSearch: () => void;
};

const quiet = {
  border: 0,
  px: 1,
  py: 0.25,
  minHeight: 28,
  textTransform: 'none',
  color: 'text.secondary',
  '&.Mui-selected': { color: 'text.primary', fontWeight: 600, bgcolor: 'action.hover' },
} as const;

/** Escape clears it; ArrowDown and Enter move to the first site. */
function SiteSearch({ q, searchBox, onSearch, onLeaveSearch }: Pick<Props, 'q' | 'searchBox' | 'onSearch' | 'onLeaveSearch'>): ReactElement {
  const { t } = useTranslation('sites');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && q !== '') {
      event.stopPropagation();
      onSearch('');
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      onLeaveSearch();
    }
  };
  return (
    <OutlinedInput
      size="small"
      type="search"
      value={q}
      inputRef={searchBox}
      placeholder={t('search.placeholder')}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={onKeyDown}
      startAdornment={
        <InputAdornment position="start">
          <SearchIcon />
        </InputAdornment>
      }
      endAdornment={
        q === '' && (
          <Box component="span" sx={{ '@media (pointer: coarse)': { display: 'none' } }}>
            <Kbd keys="/" />
          </Box>
        )
      }
      slotProps={{ input: { 'aria-label': t('search.label'), maxLength: 200 } }}
      sx={{ flex: { xs: '1 1 160px', md: 'none' }, width: { md: 240 } }}
    />
  );
}

/** Search, filter, order and layout. The bin has no search or order. */
export function HomeBar({ q, show, sort, view, searchBox, onSearch, onShow, onSort, onView, onLeaveSearch }: Props): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 2 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={show}
        aria-label={t('show.label')}
        onChange={(_event, next: Show | null) => next !== null && onShow(next)}
        sx={{ gap: 0.5, ml: -1 }}
      >
        {shows.map((one) => (
          <ToggleButton key={one} value={one} sx={quiet}>
            {t(`show.${one}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {show !== 'bin' && (
        <Box
          sx={{ display: 'flex', flexWrap: { xs: 'wrap', md: 'nowrap' }, alignItems: 'center', gap: 1, ml: { md: 'auto' }, width: { xs: '100%', md: 'auto' } }}
        >
          <SiteSearch q={q} searchBox={searchBox} onSearch={onSearch} onLeaveSearch={onLeaveSearch} />
          <NativeSelect
            value={sort}
            onChange={(event) => onSort(event.target.value as SiteSort)}
            input={<OutlinedInput size="small" />}
            inputProps={{ 'aria-label': t('sort.label') }}
          >
            {sorts.map((one) => (
              <option key={one} value={one}>
                {t(`sort.${one}`)}
              </option>
            ))}
          </NativeSelect>
          {view !== null && (
            <ToggleButtonGroup
              exclusive
              size="small"
              value={view}
              aria-label={t('view.label')}
              onChange={(_event, next: HomeView | null) => next !== null && onView(next)}
            >
              {homeViews.map((one) => (
                <ToggleButton key={one} value={one} aria-label={t(`view.${one}`)} title={t(`view.${one}`)} sx={{ ...quiet, minWidth: 28 }}>
                  {one === 'cards' ? <GridView /> : <TableRows />}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          )}
        </Box>
      )}
    </Box>
  );
}
