import type { Bucket, MeasureId, Report } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { type Column, type Sort, sortRows } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, seriesQuery, visibleMeasures } from './blocks';
import { ExportLinks } from './ExportLinks';
import { measureColumns } from './measureColumns';
import { groupsOf, inGroups, isMeasure } from './measures';
import { bucketName } from './points';
import type { Reading } from './SeriesBlock';
import { type ReportState, reportQuery } from './urlState';
import { type Explaining, useExplain } from './useExplain';
import { useVisibleMeasures } from './useVisibleMeasures';
import { type Labels, useLabels } from './useLabels';

const newestFirst = [{ id: 'time', dir: 'desc' }] as const;
type BucketRow = { readonly at: number; readonly bucket: Bucket };

type BucketsProps = BlockProps & {
  readonly measures: readonly MeasureId[];
  /** Measures of the chart above, used while none are chosen. */ readonly charted: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly reading?: Reading;
};

const remember = 'als.trend';

/** The time series as a table, newest first, with the totals of the range (not the sum of its rows). */
export const BucketsBlock = (props: BucketsProps): ReactElement => {
  const { site, state, groups, measures, more, charted } = props;
  const { t } = useLabels();
  const visible = useVisibleMeasures(remember, measures, more, state.columns);
  const answer = useReportQuery(seriesQuery(site.id, reportQuery(state), groupsOf([...visible, ...charted, ...state.measures, ...inGroups(groups)])));
  const explaining = useExplain(site.id, state);
  const order = (state.order ?? newestFirst).map(({ id, dir }) => `${id}.${dir}` as const);
  return (
    <Section
      title={t('trend.table')}
      actions={
        <ExportLinks site={site} query={{ ...reportQuery({ ...state, gran: state.gran ?? answer.currentData?.gran ?? null }), measure: visible, order }} />
      }
    >
      <BlockState name={t('trend.table')} answer={answer} skeleton={<RowsSkeleton rows={8} />}>
        {(report) => (
          <>
            <BucketsTable {...props} report={report} visible={visible} explaining={explaining} />
            {explaining.answer(report)}
          </>
        )}
      </BlockState>
    </Section>
  );
};

/** Buckets in the future have no row: zeros there would look like an error. */
const rowsOf = (report: Report): readonly BucketRow[] =>
  (report.series ?? [])
    .map((bucket, at) => ({ at, bucket }))
    .filter(({ bucket }) => bucket.start <= report.explain.at)
    .reverse();

const nameOf = (bucket: Bucket, report: Report, { format }: Labels): string => bucketName(bucket.label, report.gran, format.locale, report.to.slice(0, 4));

const columnsOf = (labels: Labels, report: Report, { state, measures, more, charted }: BucketsProps): Column<BucketRow>[] => [
  {
    id: 'time',
    name: labels.t('trend.bucket'),
    sortable: true,
    value: ({ at }) => at,
    cell: ({ bucket }) => (
      <>
        {nameOf(bucket, report, labels)}
        {bucket.open && <span style={{ color: 'var(--ink-2)' }}> {labels.t('trend.inProgress')}</span>}
      </>
    ),
  },
  ...measureColumns<BucketRow>({
    labels,
    measures,
    more,
    totals: report.totals,
    of: ({ bucket }) => bucket.values,
    before: ({ at }) => (isCompared(report) ? (report.compareSeries?.[at]?.values ?? null) : null),
    differences: visibleMeasures(state, charted),
    open: ({ bucket }) => bucket.open,
  }),
];

/** The order as the address stores it: at most four columns, and none for newest first. */
const orderOf = (sort: readonly Sort[]): ReportState['order'] => {
  const known = sort.flatMap(({ id, dir }) => (id === 'time' || isMeasure(id) ? [{ id, dir } as const] : [])).slice(0, 4);
  const [first] = known;
  return first === undefined || (known.length === 1 && first.id === 'time' && first.dir === 'desc') ? null : known;
};

const BucketsTable = ({
  report,
  visible,
  explaining,
  ...props
}: BucketsProps & { readonly report: Report; readonly visible: readonly MeasureId[]; readonly explaining: Explaining }): ReactElement => {
  const { state, change, reading } = props;
  const labels = useLabels();
  const { t } = labels;
  const sort: readonly Sort[] = state.order ?? newestFirst;
  const rows = rowsOf(report);
  const columns = columnsOf(labels, report, props);
  return (
    <DataTable
      label={t('trend.table')}
      columns={columns}
      rows={sortRows(rows, columns, sort)}
      rowKey={({ bucket }) => String(bucket.start)}
      sort={sort}
      onSort={(next) => change({ order: orderOf(next) }, 'replace')}
      multiSort
      totalLabel={t('block.total')}
      remember={remember}
      chosen={visible}
      onChoose={(ids) => change({ columns: ids === null ? null : ids.filter(isMeasure) }, 'replace')}
      onFigure={({ row, column, anchor }) => {
        if (!isMeasure(column)) return;
        const before = isCompared(report) ? (row === null ? report.compareTotals : report.compareSeries?.[row.at]?.values) : undefined;
        explaining.ask({
          anchor,
          measure: column,
          value: (row?.bucket.values ?? report.totals)[column],
          before: row?.bucket.open === true ? undefined : before?.[column],
          ...(row === null ? { of: t('block.total') } : { range: nameOf(row.bucket, report, labels) }),
        });
      }}
      figureHint={t('explain.hint')}
      dense={rows.length > 40}
      {...(reading === undefined ? {} : { rowReading: { of: ({ at }: BucketRow) => at, index: reading.index, set: reading.set } })}
    />
  );
};
