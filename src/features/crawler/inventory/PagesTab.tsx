import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageFilter } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { NoMatch } from '@/ui/list/NoMatch';
import { pageFileAddress, useCrawledPageFacetsQuery, useCrawledPagesInfiniteQuery } from './inventoryApi';
import { MoreRows } from './MoreRows';
import { pageAddress } from './pageAddress';
import { PageFilters } from './pages/PageFilters';
import type { PageState } from './pages/PageFilters';
import { PageInspector } from './pages/PageInspector';
import { PageTable } from './pages/PageTable';
import type { RunProps } from './run';
import './inventory.css';

type Query = Partial<PageFilter> & Pick<PageState, 'sort' | 'dir'> & { readonly range: string[] };

/** What the address says, as the API takes it; empty filters are left out. */
function queryOf({ sort, dir, kind, range, ...filters }: PageState): Query {
  const entries = Object.entries({ ...filters, kind: kind === 'all' ? '' : kind }).filter(([, value]) => value !== '');
  return { ...(Object.fromEntries(entries) as Partial<PageFilter>), sort, dir, range: [...range] };
}

/** The pages of a run: filtered, sorted, exported, and each in a drawer. */
export function PagesTab({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const { state, filter, change, search, isFiltered, clear } = useListAddress(pageAddress, [
    'q',
    'kind',
    'status',
    'indexing',
    'template',
    'family',
    'language',
    'rule',
    'sitemap',
    'orphan',
    'range',
  ]);
  const query = queryOf(state);
  const { data: facets } = useCrawledPageFacetsQuery({ crawlRunId: runId });
  const result = useCrawledPagesInfiniteQuery({ crawlRunId: runId, ...query });
  const total = result.currentData?.pages[0]?.total ?? null;
  return (
    <>
      <PageFilters state={state} facets={facets} search={search} onFilter={filter} />
      <div className="inventory-bar">
        <span role="status">{total === null ? '' : t('page.total', { count: total, countText: format.number(total) })}</span>
        <Button component="a" href={pageFileAddress({ crawlRunId: runId, ...query })} download disabled={total === 0}>
          {t('page.export')}
        </Button>
      </div>
      <MoreRows
        result={result}
        empty={
          isFiltered ? (
            <NoMatch title={t('page.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t('page.none')}>
              {t('page.noneText')}
            </EmptyState>
          )
        }
      >
        {(rows) => <PageTable rows={rows} state={state} onSort={(sort) => change(sort)} />}
      </MoreRows>
      <PageInspector crawlerId={crawlerId} runId={runId} />
    </>
  );
}
