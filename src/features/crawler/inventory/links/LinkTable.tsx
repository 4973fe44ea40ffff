import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlLinkRow } from '@contract/crawler/inventorySchemas';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/tableColumns';
import { Tag } from '@/ui/Tag';
import { PageLink, StatusTag } from '../parts';

/** Links; `only`: the end of them that differs. */
export function LinkTable({ rows, only }: { readonly rows: readonly CrawlLinkRow[]; readonly only?: 'from' | 'to' }): ReactElement {
  const { t } = useTranslation('inventory');
  const columns: readonly Column<CrawlLinkRow>[] = [
    { id: 'from', name: t('links.from'), minWidth: 200, cell: ({ from }) => <PageLink page={from} /> },
    { id: 'to', name: t('links.to'), minWidth: 200, cell: ({ to }) => <PageLink page={to} /> },
    {
      id: 'status',
      name: t('column.status'),
      numeric: true,
      cell: ({ to }) => (to.status === null ? '—' : <StatusTag page={{ status: to.status, error: null }} />),
    },
    { id: 'anchor', name: t('links.anchor'), cell: ({ anchor }) => <span className="inventory-text">{anchor}</span> },
    { id: 'kind', name: t('links.kind'), cell: ({ kind }) => t(`linkKind.${kind}`) },
    { id: 'position', name: t('links.position'), cell: ({ position }) => t(`position.${position}`) },
    { id: 'nofollow', name: 'nofollow', cell: ({ nofollow }) => (nofollow ? <Tag tone="warning">nofollow</Tag> : '') },
  ];
  const visible = columns.filter(({ id }) => only === undefined || (id !== (only === 'from' ? 'to' : 'from') && !(only === 'from' && id === 'status')));
  return (
    <DataTable
      label={t('tab.links')}
      columns={visible}
      rows={rows}
      rowKey={(row) => `${String(row.from.urlId)}-${String(row.to.urlId)}-${String(rows.indexOf(row))}`}
    />
  );
}
