import { matchBuckets } from '@contract/analytics/comparison';
import type { Bucket, Granularity, MeasureId, Report } from '@contract/analytics/schemas';
import { addDays, type Day, weekStart } from '@/lib/days';
import type { Format } from '@/lib/format';
import type { ChartLine, ChartPoint } from '@/ui/chart/types';
import { isCompared } from './analyticsApi';
import { measureInfo } from './measures';
import type { Labels } from './useLabels';

/**
 * The name of a bucket: `Fri 20 Nov 08:00`, a week as its days, which end with the range. `to` is the last day of the range; its year is omitted where the language
 * allows it.
 */
export const bucketName = (format: Format, label: string, gran: Granularity, to: Day): string => {
  const [day = '', time = ''] = label.split('T');
  if (gran === 'month') return format.month(day);
  if (gran === 'day') return format.day(day, to);
  if (gran !== 'week') return `${format.day(day, to)} ${time}`;
  const sunday = addDays(weekStart(day), 6);
  return format.days({ from: day, to: sunday < to ? sunday : to }, to);
};

const tickOf = (format: Format, label: string, gran: Granularity, oneDay: boolean): string => {
  const [day = '', time = ''] = label.split('T');
  if (gran === 'month') return format.month(day);
  if (gran === 'hour' || gran === 'minute') return oneDay ? time : time === '00:00' ? format.monthDay(day) : `${format.monthDay(day)} ${time}`;
  return format.monthDay(day);
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
  const compareSeries = isCompared(report) && report.compareSeries !== null ? matchBuckets(series ?? [], report.compareSeries, gran) : null;
  const { format } = labels;
  const compareTo = report.compareTo ?? report.to;
  const now = explain.at;
  return {
    points: (series ?? []).map((bucket, at) => {
      const before = compareSeries?.[at];
      return {
        name: bucketName(format, bucket.label, gran, report.to),
        tick: tickOf(format, bucket.label, gran, report.from === report.to),
        compareName: before === undefined ? undefined : bucketName(format, before.label, gran, compareTo),
        open: bucket.open && bucket.start <= now,
      };
    }),
    lines: measures.map((id) => ({
      id,
      name: labels.measure(id),
      unit: measureInfo(id).unit,
      values: (series ?? []).map((bucket) => valueIn(bucket, id, now)),
      compare: compareSeries?.map((bucket) => (bucket === undefined ? null : valueIn(bucket, id, now))),
      write: (value) => labels.value(id, value),
      writeTick: (value) => labels.tick(id, value),
    })),
  };
};
