import { Box, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, TableSortLabel, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { UptimeStatus } from '@contract/uptime/schemas';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { Change, Count } from './SiteFigure';
import type { Figures } from './SiteFigure';
import { SiteMenu } from './SiteMenu';
import type { SiteDialog } from './SiteMenuPanel';
import { detailOf } from './siteRows';
import type { SiteSort } from './siteRows';
import { SiteTags } from './SiteTags';
import { UptimeSign } from './UptimeSign';

type Props = {
  readonly sites: readonly Site[];
  readonly figuresOf: (site: Site) => Figures;
  readonly uptimeOf: (site: Site) => UptimeStatus | undefined;
  readonly sort: SiteSort;
  readonly onSort: (sort: SiteSort) => void;
  readonly onDialog: (dialog: SiteDialog) => void;
};

/** The same sites as a table, sorted by a click on a heading. */
export default function SiteTable({ sites, figuresOf, uptimeOf, sort, onSort, onDialog }: Props): ReactElement {
  const { t } = useTranslation('sites');
  const format = useFormat();
  const sortable = (id: SiteSort, label: string, direction: 'asc' | 'desc') => (
    <TableSortLabel active={sort === id} direction={direction} onClick={() => onSort(id)}>
      {label}
    </TableSortLabel>
  );
  const number = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;
  return (
    <TableContainer>
      <Table size="small" aria-label={t('list.label')} sx={{ '& td, & th': { height: 36, py: 0, borderColor: 'divider' }, '& th:first-of-type': { pl: 0 } }}>
        <TableHead>
          <TableRow>
            <TableCell {...(sort === 'name' && { sortDirection: 'asc' as const })}>{sortable('name', t('column.site'), 'asc')}</TableCell>
            <TableCell align="right" {...(sort === 'visitors' && { sortDirection: 'desc' as const })}>
              {sortable('visitors', t('column.visitors'), 'desc')}
            </TableCell>
            <TableCell align="right">{t('column.change')}</TableCell>
            <TableCell>{t('column.trend')}</TableCell>
            <TableCell align="right">{t('column.online')}</TableCell>
            <TableCell {...(sort === 'created' && { sortDirection: 'desc' as const })}>{sortable('created', t('column.created'), 'desc')}</TableCell>
            <TableCell>
              <span className="only-read">{t('column.actions')}</span>
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {sites.map((site) => {
            const figures = figuresOf(site);
            return (
              <TableRow key={site.id} hover>
                <TableCell component="th" scope="row" sx={{ minWidth: 220, maxWidth: 420, fontWeight: 400 }}>
                  <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, minWidth: 0 }}>
                    <Typography
                      component={Link}
                      to={href('site', { siteId: site.id })}
                      data-site-link=""
                      noWrap
                      title={site.name}
                      sx={{ fontWeight: 500, color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } }}
                    >
                      {site.name}
                    </Typography>
                    <Box component="span" sx={{ alignSelf: 'center', display: 'inline-flex', gap: 0.5 }}>
                      <SiteTags site={site} />
                      <UptimeSign status={uptimeOf(site)} />
                    </Box>
                    <Typography component="span" variant="caption" noWrap title={detailOf(site)} sx={{ color: 'text.secondary', flex: '1 1 0', minWidth: 80 }}>
                      {detailOf(site)}
                    </Typography>
                  </Box>
                </TableCell>
                <TableCell align="right" sx={number}>
                  <Count figures={figures} />
                </TableCell>
                <TableCell align="right" sx={number}>
                  {figures && <Change figures={figures} />}
                </TableCell>
                <TableCell>{figures && figures.lastHitAt !== null && <Sparkline values={figures.series} width={96} height={20} />}</TableCell>
                <TableCell align="right" sx={number}>
                  {figures && format.number(figures.online)}
                </TableCell>
                <TableCell sx={{ ...number, color: 'text.secondary' }}>{format.date(site.createdAt, { weekday: false })}</TableCell>
                <TableCell align="right" sx={{ pr: 0, width: 40 }}>
                  <SiteMenu site={site} onDialog={onDialog} />
                </TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
