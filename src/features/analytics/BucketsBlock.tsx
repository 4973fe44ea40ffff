import type { Bucket, MeasureId } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { type Column, type Sort, sortRows } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, seriesQuery, shownMeasures } from './blocks';
import { ExportLinks } from './ExportLinks';
import { measureColumns } from './measureColumns';
import { groupsOf, inGroups, isMeasure } from './measures';
import { bucketName } from './points';
import type { Reading } from './SeriesBlock';
import { reportQuery } from './urlState';
import { useExplain } from './useExplain';
import { useShownMeasures } from './useShownMeasures';
import { useLabels } from './useLabels';

const newestFirst = [{ id: 'time', dir: 'desc' }] as const;
type Line = { readonly at: number; readonly bucket: Bucket };

/** The time series as a table, newest first, with the totals of the range (not the sum of its rows). */
export const BucketsBlock = ({
  site,
  state,
  change,
  groups,
  measures,
  more,
  charted,
  reading,
}: BlockProps & {
  readonly measures: readonly MeasureId[];
  /** Measures of the chart above, used while none are chosen. */ readonly charted: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly reading?: Reading;
}): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const shown = useShownMeasures('als.trend', measures, more, state.columns);
  const answer = useReportQuery(seriesQuery(site.id, reportQuery(state), groupsOf([...shown, ...charted, ...state.measures, ...inGroups(groups)])));
  const { ask, answer: explained } = useExplain(site.id, state);
  const sort: readonly Sort[] = state.order ?? newestFirst;
  const order = (state.order ?? newestFirst).map(({ id, dir }) => `${id}.${dir}` as const);
  return (
    <Section
      title={t('trend.table')}
      actions={
        <ExportLinks site={site} query={{ ...reportQuery({ ...state, gran: state.gran ?? answer.currentData?.gran ?? null }), measure: shown, order }} />
      }
    >
      <BlockState name={t('trend.table')} answer={answer} skeleton={<RowsSkeleton rows={8} />}>
        {(report) => {
          // Buckets in the future have no row: zeros there would look like an error.
          const lines: Line[] = (report.series ?? [])
            .map((bucket, at) => ({ at, bucket }))
            .filter(({ bucket }) => bucket.start <= report.explain.at)
            .reverse();
          const year = report.to.slice(0, 4);
          const columns: Column<Line>[] = [
            {
              id: 'time',
              name: t('trend.bucket'),
              sortable: true,
              value: ({ at }) => at,
              cell: ({ bucket }) => (
                <>
                  {bucketName(bucket.label, report.gran, format.locale, year)}
                  {bucket.open && <span style={{ color: 'var(--ink-2)' }}> {t('trend.inProgress')}</span>}
                </>
              ),
            },
            ...measureColumns<Line>({
              labels,
              shown: measures,
              more,
              totals: report.totals,
              of: ({ bucket }) => bucket.values,
              before: ({ at }) => (isCompared(report) ? (report.compareSeries?.[at]?.values ?? null) : null),
              differences: shownMeasures(state, charted),
              open: ({ bucket }) => bucket.open,
            }),
          ];
          return (
            <>
              <DataTable
                label={t('trend.table')}
                columns={columns}
                rows={sortRows(lines, columns, sort)}
                rowKey={({ bucket }) => String(bucket.start)}
                sort={sort}
                onSort={(next) => {
                  const known = next.flatMap(({ id, dir }) => (id === 'time' || isMeasure(id) ? [{ id, dir } as const] : [])).slice(0, 4);
                  change({ order: known.length === 0 || (known.length === 1 && known[0]?.id === 'time' && known[0].dir === 'desc') ? null : known }, 'replace');
                }}
                multiSort
                totalLabel={t('block.total')}
                remember="als.trend"
                chosen={shown}
                onChoose={(ids) => change({ columns: ids === null ? null : ids.filter(isMeasure) }, 'replace')}
                onFigure={({ row, column, anchor }) => {
                  if (!isMeasure(column)) return;
                  const before = isCompared(report) ? (row === null ? report.compareTotals : report.compareSeries?.[row.at]?.values) : undefined;
                  ask({
                    anchor,
                    measure: column,
                    value: (row?.bucket.values ?? report.totals)[column],
                    before: row?.bucket.open === true ? undefined : before?.[column],
                    ...(row === null ? { of: t('block.total') } : { range: bucketName(row.bucket.label, report.gran, format.locale, year) }),
                  });
                }}
                figureHint={t('explain.hint')}
                dense={lines.length > 40}
                {...(reading === undefined ? {} : { rowReading: { of: ({ at }: Line) => at, index: reading.index, set: reading.set } })}
              />
              {explained(report)}
            </>
          );
        }}
      </BlockState>
    </Section>
  );
};
