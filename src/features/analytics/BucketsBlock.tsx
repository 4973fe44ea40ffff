import { matchBuckets } from '@contract/analytics/comparison';
import type { Bucket, MeasureId, Report, Values } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { phone, useMedia } from '@/lib/useMedia';
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
import { useDefaultMeasures } from './useDefaultMeasures';
import { useVisibleMeasures } from './useVisibleMeasures';
import { type Labels, useLabels } from './useLabels';

const newestFirst = [{ id: 'time', dir: 'desc' }] as const;
type BucketRow = { readonly at: number; readonly bucket: Bucket; /** Of the comparison. */ readonly before: Values | null };

type BucketsProps = BlockProps & {
  readonly measures: readonly [MeasureId, ...MeasureId[]];
  /** Measures of the chart above, used while none are chosen. */ readonly charted: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly reading?: Reading;
};

const remember = 'als.trend';

/** The time series as a table, newest first, with the totals of the range (not the sum of its rows). */
export const BucketsBlock = (props: BucketsProps): ReactElement => {
  const { site, state, groups, charted } = props;
  const { t } = useLabels();
  const { ready, measures, more } = useDefaultMeasures(site.id, props);
  const visible = useVisibleMeasures(remember, measures, more, state.columns);
  const result = useReportQuery(seriesQuery(site.id, reportQuery(state), groupsOf([...visible, ...charted, ...state.measures, ...inGroups(groups)])), {
    skip: !ready,
  });
  const explaining = useExplain(site.id, state);
  const order = (state.order ?? newestFirst).map(({ id, dir }) => `${id}.${dir}` as const);
  return (
    <Section
      title={t('trend.table')}
      actions={
        <ExportLinks site={site} query={{ ...reportQuery({ ...state, gran: state.gran ?? result.currentData?.gran ?? null }), measure: visible, order }} />
      }
    >
      <BlockState name={t('trend.table')} result={result} skeleton={<RowsSkeleton rows={8} />}>
        {(report) => (
          <>
            <BucketsTable {...props} measures={measures} more={more} report={report} visible={visible} explaining={explaining} />
            {explaining.render(report)}
          </>
        )}
      </BlockState>
    </Section>
  );
};

/** Buckets in the future have no row: zeros there would look like an error. */
const rowsOf = (report: Report): readonly BucketRow[] => {
  const series = report.series ?? [];
  const earlier = isCompared(report) ? matchBuckets(series, report.compareSeries ?? [], report.gran) : [];
  return series
    .map((bucket, at) => ({ at, bucket, before: earlier[at]?.values ?? null }))
    .filter(({ bucket }) => bucket.start <= report.explain.at)
    .reverse();
};

const nameOf = (bucket: Bucket, report: Report, { format }: Labels): string => bucketName(format, bucket.label, report.gran, report.to);

const columnsOf = (labels: Labels, report: Report, previous: boolean, { state, measures, more, charted }: BucketsProps): Column<BucketRow>[] => [
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
    totalsBefore: isCompared(report) ? report.compareTotals : null,
    before: (row) => row.before,
    differences: isCompared(report) ? visibleMeasures(state, charted) : [],
    previous,
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
  const small = useMedia(phone);
  const columns = columnsOf(labels, report, !small, props);
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
        const before = row === null ? (isCompared(report) ? report.compareTotals : undefined) : row.before;
        explaining.open({
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
