import type { Bucket, Granularity, MeasureId, Report } from '@contract/analytics/schemas';
import type { ChartLine, ChartPoint } from '@/ui/chart/types';
import { isCompared } from './analyticsApi';
import { measureInfo } from './measures';
import type { Labels } from './useLabels';

/** `2026-11-20T08:00` → `11-20 周五 08:00`; the year is included if it is not the current one. */
export const bucketName = (label: string, gran: Granularity, locale: string, year: string): string => {
  const [day = '', time = ''] = label.split('T');
  const written = day.slice(0, 4) === year ? day.slice(5) : day;
  if (gran === 'month') return day.slice(0, 7);
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  if (gran === 'day') return `${written} ${weekday}`;
  if (gran === 'week') return written;
  return `${written} ${weekday} ${time}`;
};

const tickOf = (label: string, gran: Granularity, oneDay: boolean): string => {
  const [day = '', time = ''] = label.split('T');
  if (gran === 'month') return day.slice(0, 7);
  if (gran === 'hour' || gran === 'minute') return oneDay ? time : time === '00:00' ? day.slice(5) : `${day.slice(5)} ${time}`;
  return day.slice(5);
};

/** A bucket in the future is a gap, not a zero. */
const valueIn = (bucket: Bucket, id: MeasureId, at: number): number | null => (bucket.start > at ? null : bucket.values[id]);

/** Points and lines of a report's time series, with the comparison matched by position. */
export const chartOf = (
  report: Report,
  measures: readonly MeasureId[],
  labels: Labels,
): { readonly points: readonly ChartPoint[]; readonly lines: readonly ChartLine[] } => {
  const { series, gran, explain } = report;
  const compareSeries = isCompared(report) ? report.compareSeries : null;
  const year = report.to.slice(0, 4);
  const { locale } = labels.format;
  const now = explain.at;
  return {
    points: (series ?? []).map((bucket, at) => {
      const before = compareSeries?.[at];
      return {
        name: bucketName(bucket.label, gran, locale, year),
        tick: tickOf(bucket.label, gran, report.from === report.to),
        compareName: before === undefined ? undefined : bucketName(before.label, gran, locale, year),
        open: bucket.open && bucket.start <= now,
      };
    }),
    lines: measures.map((id) => ({
      id,
      name: labels.measure(id),
      unit: measureInfo(id).unit,
      values: (series ?? []).map((bucket) => valueIn(bucket, id, now)),
      compare: compareSeries?.map((bucket) => valueIn(bucket, id, now)),
      write: (value) => labels.value(id, value),
      writeTick: (value) => labels.tick(id, value),
    })),
  };
};
