import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRow, CrawlRunDetail } from '@contract/crawler/schemas';
import { text, useSearchState } from '@/lib/searchState';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { StoreDialog } from './StoreDialog';
import type { Column } from '@/ui/tableColumns';
import { useCrawlRowsInfiniteQuery } from '../crawlerApi';
import { MoreRows } from '../inventory/MoreRows';
import { useValueText } from '../valueText';

function Rows({ run, extraction }: { readonly run: CrawlRunDetail; readonly extraction: string }): ReactElement {
  const { t } = useTranslation('crawler');
  const valueText = useValueText();
  const result = useCrawlRowsInfiniteQuery({ crawlRunId: run.id, extraction });
  const columns = run.config.extractions.find(({ name }) => name === extraction)?.columns ?? [];
  const visible: readonly Column<CrawlRow>[] = [
    ...columns.map(({ name, type }) => ({
      id: name,
      name,
      minWidth: 100,
      numeric: type === 'number',
      cell: ({ values }: CrawlRow) => valueText(values[name] ?? null),
    })),
    // Last, so that a phone has room for what was extracted.
    { id: '@url', name: t('rows.address'), minWidth: 200, cell: ({ url }) => <span title={url}>{url}</span> },
  ];
  return (
    <MoreRows result={result} empty={<EmptyState ghost="rows" title={t('rows.none')} />}>
      {(rows) => <DataTable label={extraction} columns={visible} rows={rows} rowKey={({ url, row }) => `${url} ${String(row)}`} />}
    </MoreRows>
  );
}

/** The rows that the extractions of a run read. */
export function RowsTab({ run, mayStore }: { readonly run: CrawlRunDetail; readonly mayStore: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const [{ extraction }, change] = useSearchState({ extraction: text('', 60) });
  const [storing, setStoring] = useState(false);
  const current = run.rows.find((one) => one.extraction === extraction) ?? run.rows[0];
  if (current === undefined)
    return (
      <EmptyState ghost="rows" title={t('rows.none')}>
        {t('rows.noneText')}
      </EmptyState>
    );
  return (
    <>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, margin: '16px 0' }}>
        {run.rows.length > 1 && (
          <FilterSelect
            label={t('rows.extraction')}
            value={current.extraction}
            choices={run.rows.map((one) => ({ value: one.extraction, label: one.extraction }))}
            onChoose={(next) => change({ extraction: next })}
          />
        )}
        {mayStore && (
          <Button size="small" variant="outlined" onClick={() => setStoring(true)}>
            {t('store.open')}
          </Button>
        )}
      </div>
      <Rows key={current.extraction} run={run} extraction={current.extraction} />
      {storing && <StoreDialog run={run} extraction={current.extraction} rows={current.rows} onClose={() => setStoring(false)} />}
    </>
  );
}
