import type { ReactElement } from 'react';
import { ratings, thresholds } from '@contract/vitals/terms';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { queryOf } from './address';
import type { SiteProps } from './SiteVitals';
import { useVitalLabels } from './useVitalLabels';
import { useVitalHistogramQuery } from './vitalsApi';

/** How the values of a metric are distributed, in bins of which none straddles a rating. */
export function Histogram({ state, today }: SiteProps): ReactElement {
  const { t, format, value } = useVitalLabels();
  const { metric } = state;
  const result = useVitalHistogramQuery({ ...queryOf(state, today), metric }, { refetchOnMountOrArgChange: true });
  return (
    <Section title={t('histogram.title', { metric: t(`metric.${metric}.short`) })}>
      <ResultState result={result} skeleton={<Bone h={144} />}>
        {({ n, bins }) => {
          if (n === 0) return <p>{t('noValues')}</p>;
          const most = Math.max(...bins.map((bin) => bin.n));
          return (
            <>
              <ul className="vitals-legend" style={{ marginBottom: 12 }}>
                {ratings.map((rating) => {
                  const count = bins.reduce((sum, bin) => sum + (bin.rating === rating ? bin.n : 0), 0);
                  const [good, poor] = thresholds[metric];
                  const span = { good: ['0', value(metric, good)], needs: [value(metric, good), value(metric, poor)] } as const;
                  return (
                    <li key={rating}>
                      <i aria-hidden data-rating={rating} />
                      {t('histogram.share', {
                        rating: t(`rating.${rating}`),
                        share: format.percent(count / n, 1),
                        span:
                          rating === 'poor'
                            ? t('histogram.above', { least: value(metric, poor) })
                            : t('histogram.span', { least: span[rating][0], most: span[rating][1] }),
                      })}
                    </li>
                  );
                })}
              </ul>
              <ul className="vitals-bars" aria-label={t('histogram.title', { metric: t(`metric.${metric}.short`) })}>
                {bins.map((bin) => {
                  const span =
                    bin.end === null
                      ? t('histogram.above', { least: value(metric, bin.start) })
                      : t('histogram.span', { least: value(metric, bin.start), most: value(metric, bin.end) });
                  const said = t('histogram.bin', {
                    span,
                    rating: t(`rating.${bin.rating}`),
                    count: bin.n,
                    countText: format.number(bin.n),
                    share: format.percent(bin.n / n),
                  });
                  return (
                    <li key={bin.start} title={said}>
                      <span data-rating={bin.rating} style={{ height: `${(bin.n / most) * 100}%` }} />
                      <span className="only-read">{said}</span>
                    </li>
                  );
                })}
              </ul>
              <div className="vitals-axis" aria-hidden>
                <span>0</span>
                <span>{value(metric, bins[Math.floor(bins.length / 2)]?.start ?? 0)}</span>
                <span>{t('histogram.above', { least: value(metric, bins.at(-1)?.start ?? 0) })}</span>
              </div>
            </>
          );
        }}
      </ResultState>
    </Section>
  );
}
