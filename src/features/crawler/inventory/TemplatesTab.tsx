import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { CrawlTemplate } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import type { Column } from '@/ui/tableColumns';
import { useCrawlTemplatesQuery } from './inventoryApi';
import { PageLink } from './parts';
import { pagesWith } from './pageAddress';
import { PageInspector } from './pages/PageInspector';
import type { RunProps } from './run';
import './inventory.css';

type Row = CrawlTemplate & { readonly number: number };

function useColumns(): readonly Column<Row>[] {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [params] = useSearchParams();
  const number = (id: string, name: string, value: (row: Row) => number): Column<Row> => ({
    id,
    name,
    numeric: true,
    sortable: true,
    value,
    cell: (row) => format.number(value(row)),
  });
  return [
    {
      id: 'name',
      name: t('column.template'),
      minWidth: 120,
      cell: ({ template, number: at }) => (
        <Link className="text-link" to={pagesWith(params, { template })}>
          {t('template.name', { number: at })}
        </Link>
      ),
    },
    { id: 'example', name: t('template.example'), minWidth: 200, cell: ({ example }) => example && <PageLink page={example} /> },
    { id: 'families', name: t('template.families'), cell: ({ families }) => <span className="inventory-text">{families.join(' · ')}</span> },
    number('pages', t('column.pages'), ({ pages }) => pages),
    number('indexable', t('indexing.ok'), ({ indexable }) => indexable),
    number('issues', t('column.issues'), ({ issues }) => issues),
    number('errors', t('severity.error'), ({ errors }) => errors),
    number('units', t('template.medianUnits'), ({ medianUnits }) => medianUnits),
    number('ms', t('template.medianMs'), ({ medianMs }) => medianMs),
    { ...number('rank', t('column.page_rank'), ({ pageRank }) => pageRank), cell: ({ pageRank }) => format.percent(pageRank, 1) },
  ];
}

/** Pages of one template share their faults: a few rows say what thousands of pages have. */
export function TemplatesTab({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const result = useCrawlTemplatesQuery({ crawlRunId: runId });
  const columns = useColumns();
  return (
    <>
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows}
        empty={
          <EmptyState ghost="rows" title={t('template.none')}>
            {t('template.noneText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label={t('tab.templates')}
            columns={columns}
            rows={rows.map((row, at) => ({ ...row, number: at + 1 }))}
            rowKey={({ template }) => template}
            remember="crawl-templates"
          />
        )}
      </ListContent>
      <PageInspector crawlerId={crawlerId} runId={runId} />
    </>
  );
}
