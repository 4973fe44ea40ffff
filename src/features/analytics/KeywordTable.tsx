import { keywordEngineNames, type KeywordMeasure } from '@contract/imports/keywordTerms';
import type { KeywordReport, KeywordValues } from '@contract/imports/keywords';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Pager } from '@/ui/Pager';
import { SearchBox } from '@/ui/SearchBox';
import type { Column } from '@/ui/tableColumns';
import { CoveredPeriod } from './KeywordNotes';
import { QuietSelect } from './QuietSelect';
import { pageSizes } from './urlState';
import type { KeywordList } from './useKeywordList';
import { type Labels, useLabels } from './useLabels';

const measures = ['clicks', 'impressions', 'ctr', 'position'] as const satisfies readonly KeywordMeasure[];
type Row = KeywordReport['rows'][number];

const Tools = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 12px', marginBottom: 8 });

type TableProps = { readonly list: KeywordList; readonly report: KeywordReport };

/** Rows of several engines name their engine; a filter by engine stays visible even if only one is covered. */
const hasEngines = ({ list, report }: TableProps): boolean => report.coverage.length > 1 || list.engine !== 'all';

/** The reported keywords or pages, searched, sorted and paged by the server. */
export const KeywordTable = ({ list, report }: TableProps): ReactElement => {
  const { by, sort, paging, setSort, setPage, setSize } = list;
  const labels = useLabels();
  const { t } = labels;
  return (
    <>
      <KeywordTools list={list} report={report} />
      <DataTable
        label={t('blocks.reportedKeywords.title')}
        columns={columnsOf(report, labels, by, hasEngines({ list, report }), sort.id)}
        rows={report.rows}
        rowKey={(row) => `${row.engine} ${row.key}`}
        sort={[sort]}
        onSort={([one]) => {
          if (one !== undefined) setSort(one);
        }}
        totalLabel={t('blocks.reportedKeywords.total')}
        empty={t('blocks.reportedKeywords.noMatch', { name: t(`blocks.reportedKeywords.${by}`) })}
      />
      <Pager {...paging} count={report.rowCount} sizes={pageSizes} onPage={setPage} onSize={setSize} />
    </>
  );
};

const KeywordTools = ({ list, report }: TableProps): ReactElement => {
  const { by, setBy, engine, setEngine, typed, setTyped } = list;
  const labels = useLabels();
  const { t } = labels;
  return (
    <Tools>
      <SearchBox label={t(`blocks.reportedKeywords.search.${by}`)} value={typed} onChange={setTyped} />
      {(report.pages || by === 'page') && (
        <QuietSelect
          label={t('blocks.reportedKeywords.by')}
          value={by}
          options={(['query', 'page'] as const).map((id) => ({ id, name: t(`blocks.reportedKeywords.${id}`) }))}
          onChange={setBy}
        />
      )}
      {hasEngines({ list, report }) && (
        <QuietSelect
          label={t('blocks.reportedKeywords.engine')}
          value={engine}
          options={[
            { id: 'all' as const, name: t('blocks.reportedKeywords.allEngines') },
            ...report.coverage.map(({ engine: id }) => ({ id, name: labels.product(keywordEngineNames[id]) })),
          ]}
          onChange={setEngine}
        />
      )}
      <CoveredPeriod>
        {report.coverage
          .map(({ engine: one, from, to }) =>
            t(from === to ? 'blocks.reportedKeywords.coverageDay' : 'blocks.reportedKeywords.coverage', {
              engine: labels.product(keywordEngineNames[one]),
              from,
              to,
            }),
          )
          .join(' · ')}
      </CoveredPeriod>
    </Tools>
  );
};

const writeValue = ({ format }: Labels, measure: KeywordMeasure, value: number | null): string => {
  if (value === null) return '—';
  if (measure === 'ctr') return format.percent(value);
  return measure === 'position' ? format.decimal(value, 1) : format.number(value);
};

function columnsOf(report: KeywordReport, labels: Labels, by: 'query' | 'page', several: boolean, sorted: string): Column<Row>[] {
  const { t } = labels;
  const share = (row: Row): number | null => (report.totals.clicks === 0 ? null : row.values.clicks / report.totals.clicks);
  const figure = (measure: KeywordMeasure, now: KeywordValues, before: KeywordValues | null): ReactElement => (
    <>
      {before !== null && measure === sorted && (
        <span style={{ fontSize: 'var(--text-secondary)', marginRight: 8 }}>
          <Delta
            now={now[measure]}
            before={before[measure]}
            better={measure === 'position' ? 'less' : 'more'}
            hint={t('blocks.reportedKeywords.value', { now: writeValue(labels, measure, now[measure]), before: writeValue(labels, measure, before[measure]) })}
          />
        </span>
      )}
      {writeValue(labels, measure, now[measure])}
    </>
  );
  return [
    { id: 'key', name: t(`blocks.reportedKeywords.${by}`), fills: true, sortable: true, share, cell: (row) => row.key },
    ...(several ? [{ id: 'engine', name: t('blocks.reportedKeywords.engine'), cell: (row: Row) => labels.product(keywordEngineNames[row.engine]) }] : []),
    ...measures.map((measure) => ({
      id: measure,
      name: t(`blocks.reportedKeywords.${measure}`),
      hint: t(`blocks.reportedKeywords.hint.${measure}`),
      numeric: true,
      sortable: true,
      total: figure(measure, report.totals, report.compareTotals),
      cell: (row: Row) => figure(measure, row.values, row.compare),
    })),
  ];
}
