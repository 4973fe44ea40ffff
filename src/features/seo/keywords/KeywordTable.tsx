import { Button, Link as MuiLink } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeoKeywords } from '@contract/seo/keywordSchemas';
import { keywordMeasures, keywordSorts } from '@contract/imports/keywordTerms';
import type { KeywordMeasure } from '@contract/imports/keywordTerms';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import type { Column } from '@/ui/tableColumns';
import type { KeywordList } from './useKeywords';

type Row = SeoKeywords['rows'][number];

function useFigures() {
  const format = useFormat();
  const write = (measure: KeywordMeasure, value: number | null): string => {
    if (value === null) return '—';
    if (measure === 'ctr') return format.percent(value);
    return measure === 'position' ? format.decimal(value, 1) : format.number(value);
  };
  return (measure: KeywordMeasure, now: Row['values'], before: Row['compare']): ReactElement => (
    <>
      {before !== null && (
        <span style={{ fontSize: 'var(--text-secondary)', marginRight: 8 }}>
          <Delta now={now[measure]} before={before[measure]} better={measure === 'position' ? 'less' : 'more'} hint={write(measure, before[measure])} />
        </span>
      )}
      <span className="seo-figure">{write(measure, now[measure])}</span>
    </>
  );
}

/** A page of the site, which opens in a new tab; one of another site is only named. */
function PageLink({ row }: { readonly row: Row }): ReactElement {
  const { t } = useTranslation('seo');
  if (row.landing === null) return <>—</>;
  if (row.path === null || !/^https?:/.test(row.landing))
    return (
      <span className="seo-landing" title={row.landing}>
        {row.landing}
      </span>
    );
  return (
    <MuiLink className="seo-landing" href={row.landing} target="_blank" rel="noopener noreferrer" title={t('keywords.open', { page: row.landing })}>
      {row.path}
    </MuiLink>
  );
}

/** Keywords or pages, sorted by the server; each figure of the sorted column has its change to the days before. */
export function KeywordTable({ list, report }: { readonly list: KeywordList; readonly report: SeoKeywords }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const figure = useFigures();
  const { state, change, filter } = list;
  const columns: Column<Row>[] = [
    {
      id: 'key',
      name: t(`keywords.dimension.${state.by}`),
      fills: true,
      sortable: true,
      minWidth: 160,
      cell: (row) => (state.by === 'page' ? <PageLink row={row} /> : row.key),
    },
    { id: 'engine', name: t('keywords.engine'), cell: ({ engine }) => t(`keywords.engines.${engine}`) },
    ...keywordMeasures.map((measure) => ({
      id: measure,
      name: t(`keywords.measure.${measure}`),
      numeric: true,
      sortable: true,
      total: figure(measure, report.totals, measure === state.sort ? report.compareTotals : null),
      cell: (row: Row) => figure(measure, row.values, measure === state.sort ? row.compare : null),
    })),
    {
      id: 'visits',
      name: t('keywords.visits'),
      hint: t(`keywords.visitsHint.${state.by}`),
      numeric: true,
      cell: ({ visits }) => (visits === null ? '—' : format.number(visits)),
    },
    ...(state.by === 'query' ? [{ id: 'landing', name: t('keywords.dimension.page'), minWidth: 140, cell: (row: Row) => <PageLink row={row} /> }] : []),
  ];
  return (
    <DataTable
      label={t('tabs.keywords')}
      columns={columns}
      rows={report.rows}
      rowKey={(row) => `${row.engine} ${row.key}`}
      sort={[{ id: state.sort, dir: state.dir }]}
      multiSort={false}
      onSort={([one]) => change({ sort: keywordSorts.find((id) => id === one?.id) ?? 'clicks', dir: one?.dir ?? 'desc', page: 1 })}
      totalLabel={t('keywords.total')}
      actions={(row) =>
        row.landing !== null &&
        state.landing === '' && (
          <Button size="small" onClick={() => filter({ by: 'query', landing: row.landing ?? '', q: '' })}>
            {t('keywords.ofPage')}
          </Button>
        )
      }
    />
  );
}
