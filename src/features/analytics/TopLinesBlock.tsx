import type { DimensionId, MeasureId, Report } from '@contract/analytics/schemas';
import { skipToken } from '@reduxjs/toolkit/query';
import type { ReactElement } from 'react';
import { Chart } from '@/ui/chart/Chart';
import type { ChartLine } from '@/ui/chart/types';
import { Bone } from '@/ui/skeletons';
import { useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, withGroups } from './blocks';
import { withFilter } from './filters';
import { groupsOf, measureInfo, measureList } from './measures';
import { chartOf } from './points';
import { QuietSelect } from './QuietSelect';
import { granularitiesFor } from './range';
import type { BlockOf } from './sections';
import { type ReportState, reportQuery } from './urlState';
import { useLabels } from './useLabels';

/** Maximum number of lines in a chart that compares rows (look.md). */
const most = 5;
const charted: readonly MeasureId[] = measureList.filter(({ group }) => group !== 'pages').map(({ id }) => id);

/** The series of one row, queried like any report with one more filter: the same numbers as on its own screen. */
const useLine = (siteId: string, state: ReportState, by: DimensionId, key: string | undefined, measure: MeasureId) =>
  useReportQuery(
    key === undefined
      ? skipToken
      : {
          siteId,
          ...reportQuery({ ...state, compare: 'none', filters: withFilter(state.filters, { by, op: 'is', values: [key] }) }),
          series: '1',
          ...withGroups(groupsOf([measure])),
        },
  ).data;

/** One measure of the top rows over time, one line each; the comparison would double the lines and is left to the table. */
export const TopLinesBlock = ({ site, state, change, today, block }: BlockProps & { readonly block: BlockOf<'topLines'> }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const by = state.by !== null && block.by.includes(state.by) ? state.by : block.by[0];
  const measure = state.measures[0] ?? block.measure;
  // Top rows are ranked by a count; an average over two visits is no ranking.
  const sort = measureInfo(measure).unit === 'count' && measureInfo(measure).group === undefined ? measure : block.measure;
  const result = useReportQuery({ siteId: site.id, ...reportQuery({ ...state, compare: 'none' }), by, sort, size: most });
  const keys = (result.currentData ?? result.data)?.rows?.map((row) => row.key) ?? [];
  const lines = [
    useLine(site.id, state, by, keys[0], measure),
    useLine(site.id, state, by, keys[1], measure),
    useLine(site.id, state, by, keys[2], measure),
    useLine(site.id, state, by, keys[3], measure),
    useLine(site.id, state, by, keys[4], measure),
  ];
  const name = t('block.topLines', { dimension: t(`dimension.${by}`) });
  const choices = granularitiesFor(state.range, today);
  return (
    <section aria-label={name} style={{ marginBottom: 24 }}>
      <BlockState name={name} result={result} skeleton={<Bone h={272} style={{ opacity: 0.5 }} />}>
        {() => {
          const found = lines.flatMap((report, at) => (report === undefined || keys[at] === undefined ? [] : [{ key: keys[at], report }]));
          const [first] = found;
          if (keys.length === 0) return null;
          if (first === undefined) return <Bone h={272} style={{ opacity: 0.5 }} />;
          const drawn = (report: Report): ChartLine => {
            const [line] = chartOf(report, [measure], labels).lines;
            if (line === undefined) throw new Error('A chart of one measure has one line');
            return line;
          };
          return (
            <Chart
              label={name}
              points={chartOf(first.report, [measure], labels).points}
              lines={found.map(({ key, report }) => ({ ...drawn(report), id: key, name: labels.nameOf(by, key) }))}
              tools={
                <>
                  <QuietSelect
                    label={t('block.measures')}
                    value={measure}
                    options={charted.map((id) => ({ id, name: labels.measure(id) }))}
                    onChange={(id) => change({ measures: id === block.measure ? [] : [id] })}
                  />
                  {choices.length > 1 && (
                    <QuietSelect
                      label={t('gran.label')}
                      value={state.gran ?? first.report.gran}
                      options={choices.map((id) => ({ id, name: t(`gran.${id}`) }))}
                      onChange={(gran) => change({ gran })}
                    />
                  )}
                </>
              }
            />
          );
        }}
      </BlockState>
    </section>
  );
};
