import type { ReactElement } from 'react';
import { percentiles, thresholds } from '@contract/vitals/terms';
import { useAnnotationsQuery } from '@/features/analytics/insights/insightsApi';
import { bucketOf } from '@/features/analytics/insights/annotationNotes';
import { useAnnotationLabels } from '@/features/analytics/insights/useAnnotationLabels';
import { Chart } from '@/ui/chart/Chart';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { percentileOf, queryOf, rangeOf } from './address';
import type { SiteProps } from './SiteVitals';
import { useVitalLabels } from './useVitalLabels';
import { useVitalSeriesQuery } from './vitalsApi';

/** The chosen percentile of the chosen metric over time, with the limits of good and poor, and the site's annotations. */
export function Timeline({ site, state, today, change }: SiteProps): ReactElement {
  const { t, format, value } = useVitalLabels();
  const { metric } = state;
  const { range } = rangeOf(state.range, today);
  const result = useVitalSeriesQuery({ ...queryOf(state, today), metric }, { refetchOnMountOrArgChange: true });
  const { data: notes = [] } = useAnnotationsQuery({ siteId: site.id, ...range });
  const say = useAnnotationLabels();
  const percentile = percentileOf(state);
  const unit = metric === 'cls' ? 'decimal' : 'count';
  const write = (amount: number | null): string => value(metric, amount);
  const limits = thresholds[metric];
  return (
    <Section
      title={t('timeline.title', { metric: t(`metric.${metric}.name`) })}
      actions={
        <Toggles
          label={t('timeline.percentile')}
          value={state.p}
          choices={percentiles.map((one) => ({ value: String(one), label: `p${one}` }))}
          onChoose={(p) => change({ p })}
        />
      }
    >
      <ResultState result={result} skeleton={<Bone h={272} />}>
        {({ gran, steps }) => {
          const nameOf = (label: string): string =>
            gran === 'hour' || gran === 'minute' ? `${label.slice(0, 10)} ${label.slice(11, 16)}` : format.day(label.slice(0, 10), today);
          const points = steps.map(({ label }, index) => ({
            name: nameOf(label),
            tick: gran === 'hour' || gran === 'minute' ? label.slice(11, 16) : format.monthDay(label.slice(0, 10)),
            open: index === steps.length - 1 && range.to === today,
          }));
          const values = steps.map(({ figures }) => figures[`p${percentile}`]);
          // In this order the limit of poor values is orange and that of good ones green.
          const limitLines = ([1, 0] as const).map(
            (index) =>
              ({
                id: `limit${index}`,
                name: t(`limit.${index === 0 ? 'good' : 'poor'}`, { value: write(limits[index]) }),
                values: steps.map(() => limits[index]),
                unit,
                write,
                writeTick: write,
              }) as const,
          );
          const flags = notes.flatMap((note) => {
            const index = bucketOf(steps, note);
            return index < 0 ? [] : [{ index, text: say(note) }];
          });
          return (
            <Chart
              label={t('timeline.title', { metric: t(`metric.${metric}.name`) })}
              points={points}
              lines={[{ id: metric, name: `${t(`metric.${metric}.short`)} p${percentile}`, values, unit, write, writeTick: write }, ...limitLines]}
              notes={flags}
              height={240}
            />
          );
        }}
      </ResultState>
    </Section>
  );
}
