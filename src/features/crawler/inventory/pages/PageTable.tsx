import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawledPage } from '@contract/crawler/inventorySchemas';
import { pageSorts } from '@contract/crawler/inventoryTerms';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/tableColumns';
import { IndexTag, PageLink, StatusTag } from '../parts';

import type { PageState } from './PageFilters';

function useColumns(): readonly Column<CrawledPage>[] {
  const { t } = useTranslation('inventory');
  const format = useFormat();

  const number = (id: string, value: (page: CrawledPage) => number, extra = false): Column<CrawledPage> => ({
    id,
    name: t(`column.${id as 'depth'}`),
    numeric: true,
    sortable: true,
    cell: (page) => format.number(value(page)),
    ...(extra ? { extra } : {}),
  });
  const textColumn = (id: string, value: (page: CrawledPage) => string | null, extra = true): Column<CrawledPage> => ({
    id,
    name: t(`column.${id as 'title'}`),
    cell: (page) => <span className="inventory-text">{value(page) ?? ''}</span>,
    ...(extra ? { extra } : {}),
  });
  return [
    { id: 'url', name: t('column.url'), sortable: true, minWidth: 220, cell: (page) => <PageLink page={page} /> },
    { id: 'status', name: t('column.status'), sortable: true, numeric: true, cell: (page) => <StatusTag page={page} /> },
    { id: 'indexing', name: t('column.indexing'), cell: (page) => <IndexTag page={page} /> },
    { ...textColumn('title', ({ title }) => title, false), sortable: true },
    { id: 'issues', name: t('column.issues'), numeric: true, cell: ({ issues }) => format.number(issues) },
    number('links_in', ({ linksIn }) => linksIn),
    {
      id: 'page_rank',
      name: t('column.page_rank'),
      hint: t('column.pageRankHint'),
      numeric: true,
      sortable: true,
      cell: ({ pageRank }) => (pageRank === null ? '—' : format.percent(pageRank, 2)),
    },
    number('depth', ({ depth }) => depth),
    number('units', ({ units }) => units),
    number('first_byte_ms', ({ firstByteMs }) => firstByteMs),
    number('total_ms', ({ totalMs }) => totalMs, true),
    { ...number('bytes', ({ bytes }) => bytes, true), cell: ({ bytes }) => bytesText(bytes, format) },
    number('links_internal', ({ linksInternal }) => linksInternal, true),
    number('links_external', ({ linksExternal }) => linksExternal, true),
    textColumn('language', ({ language }) => language),
    textColumn('description', ({ description }) => description),
    textColumn('h1', ({ h1 }) => h1),
    textColumn('mime', ({ mime }) => mime),
    { ...textColumn('sitemap', ({ inSitemap }) => t(inSitemap ? 'yes' : 'no')), id: 'sitemap' },
    { id: 'fetched_at', name: t('column.fetched_at'), sortable: true, extra: true, cell: ({ fetchedAt }) => format.dateTime(fetchedAt) },
  ];
}

/** Pages with the columns that the reader has chosen. */
export function PageTable({
  rows,
  state,
  onSort,
}: {
  readonly rows: readonly CrawledPage[];
  readonly state: Pick<PageState, 'sort' | 'dir'>;
  readonly onSort: (sort: Pick<PageState, 'sort' | 'dir'>) => void;
}): ReactElement {
  const { t } = useTranslation('inventory');
  return (
    <DataTable
      label={t('tab.pages')}
      columns={useColumns()}
      rows={rows}
      rowKey={({ urlId }) => String(urlId)}
      sort={[{ id: state.sort, dir: state.dir }]}
      onSort={([next]) => onSort({ sort: pageSorts.find((one) => one === next?.id) ?? 'page_rank', dir: next?.dir ?? 'desc' })}
      remember="crawl-pages"
    />
  );
}
