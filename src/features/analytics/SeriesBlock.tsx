import type { MeasureId } from '@contract/analytics/schemas';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { publicLinkSecret } from '@/lib/publicLink';
import { Chart } from '@/ui/chart/Chart';
import type { ChartNote } from '@/ui/chart/types';
import { Bone } from '@/ui/skeletons';
import { useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, seriesQuery, visibleMeasures } from './blocks';
import { QuietSelect } from './QuietSelect';
import { measureList } from './measures';
import { chartOf } from './points';
import { granularitiesFor } from './range';
import { insightSlots } from './insightSlots';
import { reportQuery } from './urlState';
import { useForecast } from './useForecast';
import { useLabels } from './useLabels';

/** Measures of single pages have no line over a whole site. */
const charted = measureList.filter(({ group }) => group !== 'pages');

/** The line of the chart, and a second one. */
const MeasureChoice = ({
  first,
  second,
  onChange,
}: {
  readonly first: MeasureId;
  readonly second: MeasureId | undefined;
  readonly onChange: (measures: readonly MeasureId[]) => void;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const choose = (one: MeasureId, other: MeasureId | undefined): void => onChange(other === undefined || other === one ? [one] : [one, other]);
  const options = charted.map(({ id }) => ({ id, name: labels.measure(id) }));
  return (
    <>
      <QuietSelect label={t('block.measures')} value={first} options={options} onChange={(id) => choose(id, second)} />
      <QuietSelect<MeasureId | ''>
        label={t('block.second')}
        value={second ?? ''}
        options={[{ id: '', name: t('block.noSecond') }, ...options.filter(({ id }) => id !== first)]}
        onChange={(id) => choose(first, id === '' ? undefined : id)}
      />
    </>
  );
};

export type Reading = { readonly index: number | null; readonly set: (index: number | null) => void };

/** Height of the line of keys and tools above a chart, in px: the placeholder is as high as what follows. */
const toolsHeight = 32;

/** One or two measures over time, at the chosen granularity, with the comparison behind them. */
export const SeriesBlock = ({
  site,
  state,
  change,
  today,
  groups,
  measures: own,
  reading,
  driven = false,
}: BlockProps & {
  readonly measures: readonly MeasureId[];
  readonly reading?: Reading;
  /** The key figures above choose the line. */ readonly driven?: boolean;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const height = driven ? 280 : 240;
  const result = useReportQuery(seriesQuery(site.id, reportQuery(state), groups));
  const measures = visibleMeasures(state, own);
  const [first = 'visitors', second] = measures;
  const choices = granularitiesFor(state.range, today);
  const forecast = useForecast({ site, state, today, measure: first });
  return (
    <section aria-label={t('block.chart')} style={{ marginBottom: 24 }}>
      <BlockState name={t('block.chart')} result={result} skeleton={<Bone h={toolsHeight + height} style={{ opacity: 0.5 }} />}>
        {(report) => {
          const { points, lines: measured } = chartOf(report, measures, labels);
          const lines = forecast === null || report.gran !== 'day' ? measured : measured.map((line) => (line.id === first ? { ...line, forecast } : line));
          const chart = (notes: readonly ChartNote[], more: ReactNode): ReactElement => (
            <Chart
              label={t('block.chart')}
              points={points}
              lines={lines}
              notes={notes}
              height={height}
              {...(reading === undefined ? {} : { reading })}
              tools={
                <>
                  {!driven && <MeasureChoice first={first} second={second} onChange={(ids) => change({ measures: ids })} />}
                  {choices.length > 1 && (
                    <QuietSelect
                      label={t('gran.label')}
                      value={state.gran ?? report.gran}
                      options={choices.map((id) => ({ id, name: t(`gran.${id}`) }))}
                      onChange={(gran) => change({ gran })}
                    />
                  )}
                  {more}
                </>
              }
            />
          );
          const { AnnotationMarks } = insightSlots;
          // Annotations are visible to the site's own people only.
          return AnnotationMarks === undefined || publicLinkSecret !== null ? (
            chart([], null)
          ) : (
            <Suspense fallback={chart([], null)}>
              <AnnotationMarks site={site} report={report}>
                {chart}
              </AnnotationMarks>
            </Suspense>
          );
        }}
      </BlockState>
    </section>
  );
};
