import type { Bucket } from '@contract/analytics/schemas';
import type { Annotation } from '@contract/insights/schemas';

/** The step of a chart that an annotation falls into; those of a whole day stand at its first step. -1 outside of all. */
export const bucketOf = (series: readonly Pick<Bucket, 'label'>[], { day, time }: Pick<Annotation, 'day' | 'time'>): number => {
  const at = `${day}T${time ?? '00:00'}`;
  let found = -1;
  // Steps are written in the wall clock of the site, as annotations are; one that is lived twice counts the first time.
  for (const [index, { label }] of series.entries()) if (label <= at && (found < 0 || label > (series[found]?.label ?? ''))) found = index;
  return found;
};
