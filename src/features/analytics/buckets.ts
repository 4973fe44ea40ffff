import type { bucketKeys } from '@contract/analytics/schemas';
import type { TFunction } from 'i18next';

/** The contract's axes, repeated here: importing them would bring zod into the page. */
export const axes = {
  pages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  distinctPages: ['1', '2', '3', '4', '5', '6-10', '11-20', '21-50', '51-100', '>100'],
  duration: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  engagedTime: ['0-10', '10-30', '30-60', '60-120', '120-180', '180-240', '240-300', '300-600', '600-1800', '1800-3600', '>=3600'],
  ago: ['first', '0', '1', '2', '3-7', '8-15', '16-30', '31-90', '91-365', '>365'],
  visitNumber: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11-15', '16-50', '51-100', '101-200', '201-300', '>300'],
} as const satisfies typeof bucketKeys;
export type Axis = keyof typeof axes;

export const isAxis = (by: string): by is Axis => by in axes;

/** Name of a bucket: 6–10 页, 1–2 分, 3–7 天, 第 11–15 次. A key that is no bucket is returned unchanged. */
export const bucketName = (t: TFunction<'analytics'>, axis: Axis | 'perVisits' | 'perViews', key: string): string => {
  const over = /^>=?(\d+)$/.exec(key);
  const span = /^(\d+)(?:-(\d+))?$/.exec(key);
  if (axis === 'ago') {
    if (key === 'first') return t('blocks.histogram.bucket.first');
    if (key === '0') return t('blocks.histogram.bucket.sameDay');
  }
  if (axis === 'duration' || axis === 'engagedTime') {
    if (key === '>=3600') return t('blocks.histogram.bucket.hour');
    if (over !== null) {
      const end = Number(over[1]);
      return end % 60 === 0
        ? t('blocks.histogram.bucket.minutesOver', { text: String(end / 60) })
        : t('blocks.histogram.bucket.secondsOver', { text: String(end) });
    }
    const [from, to] = [Number(span?.[1]), Number(span?.[2])];
    if (span?.[2] === undefined) return key;
    return to <= 60 || (from % 60) + (to % 60) > 0
      ? t('blocks.histogram.bucket.seconds', { text: `${String(from)}–${String(to)}` })
      : t('blocks.histogram.bucket.minutes', { text: `${String(from / 60)}–${String(to / 60)}` });
  }
  if (axis === 'visitNumber' && over !== null) return t('blocks.histogram.bucket.nthOver', { text: over[1] ?? '' });
  const text = over !== null ? t('blocks.histogram.bucket.over', { text: over[1] ?? '' }) : span === null ? null : key.replace('-', '–');
  if (text === null) return key;
  const unit = axis === 'ago' ? 'days' : axis === 'visitNumber' ? 'nth' : axis === 'perVisits' ? 'times' : 'pages';
  return key === '1' && unit !== 'nth' ? t(`blocks.histogram.bucket.${unit}One`) : t(`blocks.histogram.bucket.${unit}`, { text });
};
