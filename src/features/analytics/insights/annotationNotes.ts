import type { Bucket } from '@contract/analytics/schemas';
import type { Annotation } from '@contract/insights/schemas';

/** The bucket of a chart that an annotation falls into; one of a whole day is at the day's first bucket. -1 outside the chart. */
export const bucketOf = (series: readonly Pick<Bucket, 'label'>[], { day, time }: Pick<Annotation, 'day' | 'time'>): number => {
  const at = `${day}T${time ?? '00:00'}`;
  let found = -1;
  // Buckets are in the site's local time, as annotations are; an hour that occurs twice counts as the first.
  for (const [index, { label }] of series.entries()) if (label <= at && (found < 0 || label > (series[found]?.label ?? ''))) found = index;
  return found;
};
