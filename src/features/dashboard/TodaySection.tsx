import { matchBuckets } from '@contract/analytics/comparison';
import type { Bucket, MeasureId, Report } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isCompared, useReportQuery } from '@/features/analytics/analyticsApi';
import { addDays } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { shortMeasure, writeMeasure } from '@/lib/measureText';
import { useToday } from '@/lib/useToday';
import { href } from '@/routes/paths';
import { Chart } from '@/ui/chart/Chart';
import type { ChartLine, ChartPoint } from '@/ui/chart/types';
import { Delta } from '@/ui/Delta';
import type { BetterDirection } from '@/ui/difference';
import { KeyFigure } from '@/ui/KeyFigure';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { MoreLink } from './MoreLink';
import { SectionState } from './SectionState';

const Row = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(120px, 1fr))',
  gap: '16px 24px',
  marginBottom: 16,
  '@media (max-width: 719px)': { gridTemplateColumns: '1fr 1fr' },
});
type Figure = { readonly id: 'visitors' | 'views' | 'bounceRate' | 'avgDuration'; readonly better: BetterDirection };
const figures: readonly Figure[] = [
  { id: 'visitors', better: 'more' },
  { id: 'views', better: 'more' },
  { id: 'bounceRate', better: 'less' },
  { id: 'avgDuration', better: 'more' },
];

/** Hours that have begun; the rest of the day is empty, not zero. */
const lineValues = (series: readonly Bucket[] | null, id: MeasureId, at: number): (number | null)[] =>
  (series ?? []).map((bucket) => (bucket.start > at ? null : bucket.values[id]));

/** In the place of the figures and the chart. */
const Loading = (): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <Row>
        {figures.map(({ id }) => (
          <KeyFigure key={id} name={t(`figure.${id}`)} value="" loading />
        ))}
      </Row>
      <Bone h={220} style={{ opacity: 0.5 }} />
    </>
  );
};

/** Today against yesterday at this time, and the day as a line with yesterday behind it. */
export const TodaySection = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const today = useToday(site.timeZone);
  const yesterday = addDays(today, -1);
  const result = useReportQuery(
    { siteId: site.id, from: today, to: today, compare: 'custom', compareFrom: yesterday, compareTo: yesterday, series: '1', gran: 'hour' },
    { refetchOnMountOrArgChange: true },
  );
  const write = (id: MeasureId, value: number | null): string => writeMeasure(format, id, value);
  const drawn = (report: Report): { points: ChartPoint[]; line: ChartLine } => ({
    points: (report.series ?? []).map((bucket) => ({
      name: bucket.label.slice(11),
      tick: bucket.label.slice(11),
      open: bucket.open && bucket.start <= report.explain.at,
    })),
    line: {
      id: 'visitors',
      name: t('lineToday'),
      unit: 'count',
      values: lineValues(report.series, 'visitors', report.explain.at),
      ...(report.compareSeries === null || !isCompared(report)
        ? {}
        : { compare: matchBuckets(report.series ?? [], report.compareSeries, report.gran).map((bucket) => bucket?.values.visitors ?? null) }),
      write: (value) => write('visitors', value),
      writeTick: format.compact,
    },
  });
  const name = t('today');
  return (
    <Section
      title={name}
      note={t('todayNote', { zone: site.timeZone })}
      actions={<MoreLink to={{ pathname: href('site.als.overview', { siteId: site.id }), search: 'range=today' }} name={name} />}
    >
      <SectionState name={name} result={result} skeleton={<Loading />}>
        {(report) => {
          const { points, line } = drawn(report);
          const sample = report.compareTotals === null ? null : Math.min(report.totals.visits ?? 0, report.compareTotals.visits ?? 0);
          return (
            <>
              <Row>
                {figures.map(({ id, better }) => {
                  const now = report.totals[id];
                  const before = report.compareTotals?.[id] ?? null;
                  return (
                    <KeyFigure
                      key={id}
                      name={t(`figure.${id}`)}
                      value={shortMeasure(format, id, now)}
                      exact={write(id, now)}
                      below={
                        isCompared(report) && (
                          <Delta now={now} before={before} better={better} sample={sample} hint={`${write(id, now)} / ${write(id, before)}`} />
                        )
                      }
                    />
                  );
                })}
              </Row>
              <Chart label={t('lineLabel')} points={points} lines={[line]} height={200} />
            </>
          );
        }}
      </SectionState>
    </Section>
  );
};
