import { type KeywordEngine, keywordEngineNames, type KeywordMeasure } from '@contract/imports/keywordTerms';
import type { KeywordQuery, KeywordReport, KeywordValues } from '@contract/imports/keywords';
import { mayOnSite } from '@contract/permissions';
import { Alert, Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router-dom';
import { keywordExportAddress, useKeywordsQuery } from '@/features/imports/importsApi';
import { sharedSecret } from '@/lib/sharedLink';
import { useDebounced } from '@/lib/useDebounced';
import { href } from '@/routes/paths';
import { isFailure } from '@/store/failure';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { EmptyState } from '@/ui/EmptyState';
import { Pager } from '@/ui/Pager';
import { SearchBox } from '@/ui/SearchBox';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column, Sort } from '@/ui/tableColumns';
import { BlockState } from './BlockState';
import type { BlockProps, LateBlock } from './blocks';
import { QuietSelect } from './QuietSelect';
import { pageSizes } from './urlState';
import { useLabels, type Labels } from './useLabels';

const measures = ['clicks', 'impressions', 'ctr', 'position'] as const satisfies readonly KeywordMeasure[];
type Row = KeywordReport['rows'][number];
type Period = KeywordReport['imported'][number];

const Notes = styled('div')({ display: 'grid', gap: 8, marginBottom: 12 });
const Tools = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 12px', marginBottom: 8 });
const Covered = styled('span')({ fontSize: '0.8125rem', color: 'var(--ink-2)' });

const writeValue = ({ format }: Labels, measure: KeywordMeasure, value: number | null): string => {
  if (value === null) return '—';
  if (measure === 'ctr') return format.percent(value);
  return measure === 'position' ? format.decimal(value, 1) : format.number(value);
};

/** Figures counted by search engines, from imported reports. Visit filters cannot apply to them: with filters nothing is shown. */
const ReportedKeywordsBlock: LateBlock<'reportedKeywords'> = (props): ReactElement | null => {
  const { state, own } = props;
  // Shares do not show imports.
  if (own.length > 0 || state.segment.length > 0 || sharedSecret !== null) return null;
  return <Reported {...props} />;
};

const Reported = ({ site, state, change }: BlockProps): ReactElement | null => {
  const labels = useLabels();
  const { t } = labels;
  const [by, setBy] = useState<'query' | 'page'>('query');
  const [engine, setEngine] = useState<KeywordEngine | 'all'>('all');
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort>({ id: 'clicks', dir: 'desc' });
  const [paging, setPaging] = useState<{ page: number; size: number }>({ page: 1, size: pageSizes[0] });
  const q = useDebounced(typed.trim(), 300);
  const { compare, compareTo } = state;
  const query: KeywordQuery = {
    ...state.range,
    compare,
    ...(compare === 'custom' && compareTo !== null ? { compareFrom: compareTo.from, compareTo: compareTo.to } : {}),
    by,
    ...(engine === 'all' ? {} : { engine }),
    ...(q === '' ? {} : { q }),
    sort: sort.id as KeywordMeasure,
    dir: sort.dir,
  };
  const answer = useKeywordsQuery({ siteId: site.id, ...query, ...paging }, { refetchOnMountOrArgChange: true });
  const first = (): void => setPaging(({ size }) => ({ page: 1, size }));
  const name = t('blocks.reportedKeywords.title');
  const mayImport = mayOnSite(site.role, 'analytics.configure');
  const imports = href('site.als.imports', { siteId: site.id });
  const { currentData, error } = answer;
  // Without permission to read them, as in a share, the failure is not shown.
  if (currentData === undefined && isFailure(error) && (error.status === 403 || error.status === 404)) return null;
  if (currentData?.imported.length === 0 && !mayImport) return null;
  const show = ({ from, to }: Period): void => change({ preset: 'custom', range: { from, to }, gran: null });
  const engineName = (one: KeywordEngine): string => labels.product(keywordEngineNames[one]);
  const covered = (report: KeywordReport): readonly KeywordEngine[] => report.coverage.map((one) => one.engine);
  return (
    <Section
      title={name}
      note={t('blocks.reportedKeywords.note')}
      actions={
        currentData !== undefined &&
        currentData.imported.length > 0 && (
          <>
            {mayImport && (
              <Button size="small" component={Link} to={imports}>
                {t('blocks.reportedKeywords.manage')}
              </Button>
            )}
            {currentData.rowCount > 0 && mayOnSite(site.role, 'analytics.export') && (
              <>
                <Button size="small" component="a" href={keywordExportAddress(site.id, query, 'csv')} download>
                  {t('controls.csv')}
                </Button>
                <Button size="small" component="a" href={keywordExportAddress(site.id, query, 'json')} download>
                  {t('controls.json')}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <BlockState name={name} answer={answer} skeleton={<RowsSkeleton rows={6} />}>
        {(report) => {
          if (report.imported.length === 0)
            return (
              <EmptyState
                title={t('blocks.reportedKeywords.invite')}
                action={
                  <Button variant="outlined" component={Link} to={imports}>
                    {t('blocks.reportedKeywords.import')}
                  </Button>
                }
              >
                {t('blocks.reportedKeywords.inviteText')}
              </EmptyState>
            );
          if (report.coverage.length === 0 && report.partial.length === 0) return <Outside periods={report.imported} labels={labels} onShow={show} />;
          const several = covered(report).length > 1 || engine !== 'all';
          return (
            <>
              <Remarks report={report} engine={engine} labels={labels} onShow={show} />
              {report.coverage.length > 0 && (
                <>
                  <Tools>
                    <SearchBox
                      label={t(`blocks.reportedKeywords.search.${by}`)}
                      placeholder={t(`blocks.reportedKeywords.search.${by}`)}
                      value={typed}
                      onChange={(text) => {
                        setTyped(text);
                        first();
                      }}
                    />
                    {(report.pages || by === 'page') && (
                      <QuietSelect
                        label={t('blocks.reportedKeywords.by')}
                        value={by}
                        options={(['query', 'page'] as const).map((id) => ({ id, name: t(`blocks.reportedKeywords.${id}`) }))}
                        onChange={(one) => {
                          setBy(one);
                          first();
                        }}
                      />
                    )}
                    {several && (
                      <QuietSelect
                        label={t('blocks.reportedKeywords.engine')}
                        value={engine}
                        options={[
                          { id: 'all' as const, name: t('blocks.reportedKeywords.allEngines') },
                          ...covered(report).map((id) => ({ id, name: engineName(id) })),
                        ]}
                        onChange={(one) => {
                          setEngine(one);
                          first();
                        }}
                      />
                    )}
                    <Covered>
                      {report.coverage
                        .map(({ engine: one, from, to }) =>
                          t(from === to ? 'blocks.reportedKeywords.coverageDay' : 'blocks.reportedKeywords.coverage', { engine: engineName(one), from, to }),
                        )
                        .join(' · ')}
                    </Covered>
                  </Tools>
                  <DataTable
                    label={name}
                    columns={columnsOf(report, labels, by, several, sort.id)}
                    rows={report.rows}
                    rowKey={(row) => `${row.engine} ${row.key}`}
                    sort={[sort]}
                    onSort={([one]) => {
                      if (one === undefined) return;
                      setSort(one);
                      first();
                    }}
                    totalLabel={t('blocks.reportedKeywords.total')}
                    empty={t('blocks.reportedKeywords.noMatch', { name: t(`blocks.reportedKeywords.${by}`) })}
                  />
                  <Pager
                    {...paging}
                    count={report.rowCount}
                    sizes={pageSizes}
                    onPage={(page) => setPaging((before) => ({ ...before, page }))}
                    onSize={(size) => setPaging({ page: 1, size })}
                  />
                </>
              )}
            </>
          );
        }}
      </BlockState>
    </Section>
  );
};

const Outside = ({ periods, labels, onShow }: { periods: readonly Period[]; labels: Labels; onShow: (period: Period) => void }): ReactElement => {
  const { t } = labels;
  const [newest] = periods.toSorted((a, b) => (a.to < b.to ? 1 : -1));
  return (
    <EmptyState
      kind="noMatch"
      title={t('blocks.reportedKeywords.outside')}
      action={
        newest !== undefined && (
          <Button variant="outlined" onClick={() => onShow(newest)}>
            {t('blocks.reportedKeywords.showImported')}
          </Button>
        )
      }
    >
      {t('blocks.reportedKeywords.outsideText', {
        periods: periods
          .map(({ engine, from, to }) => t('blocks.reportedKeywords.coverage', { engine: labels.product(keywordEngineNames[engine]), from, to }))
          .join(t('list')),
      })}
    </EmptyState>
  );
};

/** What the figures do not include, and where the comparison is uneven. */
const Remarks = ({
  report,
  engine: chosen,
  labels,
  onShow,
}: {
  report: KeywordReport;
  engine: KeywordEngine | 'all';
  labels: Labels;
  onShow: (period: Period) => void;
}): ReactElement | null => {
  const { t } = labels;
  const engineName = (engine: KeywordEngine): string => labels.product(keywordEngineNames[engine]);
  const compared = report.compareFrom === null ? [] : report.coverage.filter(({ engine }) => chosen === 'all' || chosen === engine);
  const without = compared.filter(({ compareDays }) => compareDays === 0);
  const uneven = compared.filter(({ days, compareDays }) => compareDays > 0 && days !== compareDays);
  if (report.partial.length === 0 && uneven.length === 0 && without.length === 0) return null;
  return (
    <Notes>
      {report.partial.map((period) => (
        <Alert key={`${period.engine} ${period.from} ${period.to}`} severity="info">
          {t('blocks.reportedKeywords.partial', { ...period, engine: engineName(period.engine) })}{' '}
          <Button size="small" color="inherit" onClick={() => onShow(period)} sx={{ py: 0, minHeight: 0, textDecoration: 'underline' }}>
            {t('blocks.reportedKeywords.show')}
          </Button>
        </Alert>
      ))}
      {uneven.map(({ engine, days, compareDays }) => (
        <Covered key={engine}>{t('blocks.reportedKeywords.uneven', { engine: engineName(engine), days, compareDays })}</Covered>
      ))}
      {without.length > 0 && (
        <Covered>{t('blocks.reportedKeywords.noCompare', { engines: without.map(({ engine }) => engineName(engine)).join(t('list')) })}</Covered>
      )}
    </Notes>
  );
};

function columnsOf(report: KeywordReport, labels: Labels, by: 'query' | 'page', several: boolean, sorted: string): Column<Row>[] {
  const { t } = labels;
  const share = (row: Row): number | null => (report.totals.clicks === 0 ? null : row.values.clicks / report.totals.clicks);
  const figure = (measure: KeywordMeasure, now: KeywordValues, before: KeywordValues | null): ReactElement => (
    <>
      {before !== null && measure === sorted && (
        <span style={{ fontSize: 12, marginRight: 8 }}>
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

export default ReportedKeywordsBlock;
