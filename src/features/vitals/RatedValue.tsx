import type { ReactElement } from 'react';
import type { Rating, VitalMetric } from '@contract/vitals/terms';
import { useVitalLabels } from './useVitalLabels';

const colours = { good: 'var(--good)', needs: 'var(--warning)', poor: 'var(--bad)' } as const satisfies Record<Rating, string>;

/** A value in the colour of its rating, which is also its description; grey where there are too few values for a rating. */
export function RatedValue({
  metric,
  value,
  rating,
}: {
  readonly metric: VitalMetric;
  readonly value: number | null;
  readonly rating: Rating | null;
}): ReactElement {
  const { t, value: write } = useVitalLabels();
  const said = rating === null ? t('few') : t(`rating.${rating}`);
  if (value === null) return <span style={{ color: 'var(--ink-2)' }}>{write(metric, null)}</span>;
  return (
    <span title={said} style={{ color: rating === null ? 'var(--ink-2)' : colours[rating], whiteSpace: 'nowrap' }}>
      {write(metric, value)}
      <span className="only-read"> {said}</span>
    </span>
  );
}
