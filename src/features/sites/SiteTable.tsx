import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow, TableSortLabel } from '@mui/material';
import { memo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SiteFigures } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { PickSite } from './PickSite';
import type { SiteListProps } from './SiteCards';
import { Change, Count } from './SiteFigure';
import { SiteMenu } from './SiteMenu';
import { detailOf } from './siteRows';
import type { SiteSort } from './siteRows';
import { HealthSigns, Unread } from './SiteSigns';
import { OwnTags, SiteTags } from './SiteTags';
import { useWindowRows, virtualAbove } from './useWindowRows';

type Props = SiteListProps & { readonly sort: SiteSort; readonly onSort: (sort: SiteSort) => void };
const rowHeight = 36;
/** Fixed, because columns as wide as what is rendered would move while somebody scrolls: selection, site, figures, date, menu. */
const columns = [28, null, 124, 124, 112, 124, 80, 92, 40] as const;

function Head({ sort, onSort, pick }: Pick<Props, 'sort' | 'onSort'> & { readonly pick: ReactNode }): ReactElement {
  const { t } = useTranslation(['sites', 'siteChanges']);
  const sortable = (id: SiteSort, label: string, align: 'left' | 'right' = 'left') => {
    const direction = id === 'name' ? 'asc' : 'desc';
    return (
      <TableCell align={align} {...(sort === id && { sortDirection: direction })}>
        <TableSortLabel active={sort === id} direction={direction} onClick={() => onSort(id)}>
          {label}
        </TableSortLabel>
      </TableCell>
    );
  };
  return (
    <TableHead>
      <TableRow>
        <TableCell padding="checkbox">{pick}</TableCell>
        {sortable('name', t('siteChanges:table.column.site'))}
        {sortable('visitors', t('siteChanges:table.column.visitors'), 'right')}
        {sortable('change', t('siteChanges:table.column.change'), 'right')}
        <TableCell>{t('siteChanges:table.column.trend')}</TableCell>
        {sortable('health', t('siteChanges:table.column.health'))}
        {sortable('unread', t('siteChanges:table.column.unread'), 'right')}
        {sortable('created', t('siteChanges:table.column.created'))}
        <TableCell>
          <span className="only-read">{t('siteChanges:table.column.actions')}</span>
        </TableCell>
      </TableRow>
    </TableHead>
  );
}

type RowProps = Pick<Props, 'selection' | 'onDialog'> & { readonly site: Site; readonly figures: SiteFigures | null | undefined };

/** Plain elements: each part of MUI computes styles of its own, which costs more than everything else while somebody scrolls. */
const SiteRow = memo(function SiteRow({ site, figures, selection, onDialog }: RowProps): ReactElement {
  const format = useFormat();
  const visits = figures === undefined ? undefined : (figures?.visits ?? null);
  return (
    <tr className="site-row" data-selected={selection.ids.has(site.id) || undefined}>
      <td className="choice">
        <PickSite site={site} selection={selection} />
      </td>
      <th scope="row">
        <div className="name">
          <Link className="one-line" to={href('site', { siteId: site.id })} data-site-link={site.id} title={site.name}>
            {site.name}
          </Link>
          <SiteTags site={site} />
          <OwnTags site={site} />
          <span className="detail one-line" title={detailOf(site)}>
            {detailOf(site)}
          </span>
        </div>
      </th>
      <td className="number">
        <Count figures={visits} />
      </td>
      <td className="number">{visits && visits.lastHitAt !== null && <Change figures={visits} />}</td>
      <td>{visits && visits.lastHitAt !== null && <Sparkline values={visits.series} width={96} height={20} />}</td>
      <td className="health">{figures && <HealthSigns figures={figures} />}</td>
      <td className="number">{figures && <Unread figures={figures} />}</td>
      <td className="date">{format.date(site.createdAt, { weekday: false })}</td>
      <td className="menu">
        <SiteMenu site={site} onDialog={onDialog} />
      </td>
    </tr>
  );
});

/** Stands for rows that are not rendered. */
const Space = ({ height }: { readonly height: number }): ReactElement | null => (height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null);

/** The same sites as a table, sorted by a click on a heading. Of many sites only the visible rows are rendered. */
export default function SiteTable({ sites, figuresOf, selection, onDialog, sort, onSort }: Props): ReactElement {
  const { t } = useTranslation(['sites', 'siteChanges']);
  const virtual = sites.length > virtualAbove;
  const { list, from, to, before, after } = useWindowRows<HTMLTableSectionElement>(virtual ? sites.length : 0, rowHeight);
  const isAll = sites.length > 0 && selection.ids.size === sites.length;
  return (
    // What only screen readers read stays within it, and so does not widen the page.
    <TableContainer sx={{ position: 'relative' }}>
      <Table
        size="small"
        className="site-table"
        aria-label={t('list.label')}
        aria-rowcount={sites.length + 1}
        data-selecting={selection.ids.size > 0 || undefined}
        sx={{
          tableLayout: 'fixed',
          minWidth: 912,
          '& thead th': { height: rowHeight, px: 1, py: 0, borderColor: 'divider', whiteSpace: 'nowrap' },
          '& .MuiTableCell-paddingCheckbox': { width: 28, p: 0 },
        }}
      >
        <colgroup>
          {columns.map((width, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <col key={at} {...(width !== null && { style: { width } })} />
          ))}
        </colgroup>
        <Head
          sort={sort}
          onSort={onSort}
          pick={
            <label className="pick-area">
              <input
                type="checkbox"
                className="pick"
                aria-label={t('siteChanges:table.selectAll')}
                checked={isAll}
                ref={(box) => {
                  if (box) box.indeterminate = !isAll && selection.ids.size > 0;
                }}
                onChange={isAll ? selection.clear : selection.all}
              />
            </label>
          }
        />
        <TableBody ref={list}>
          {virtual && <Space height={before} />}
          {(virtual ? sites.slice(from, to) : sites).map((site) => (
            <SiteRow key={site.id} site={site} figures={figuresOf(site)} selection={selection} onDialog={onDialog} />
          ))}
          {virtual && <Space height={after} />}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
