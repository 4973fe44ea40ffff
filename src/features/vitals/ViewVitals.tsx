import type { ReactElement } from 'react';
import { Section } from '@/ui/Section';
import { RatedValue } from './RatedValue';
import { useVitalLabels } from './useVitalLabels';
import { useVitalsOfViewQuery } from './vitalsApi';

/** The web vitals of one page view with their causes; nothing if its browser reported none. */
export function ViewVitals({ siteId, pageId }: { readonly siteId: string; readonly pageId: string }): ReactElement | null {
  const { t, value } = useVitalLabels();
  const { data = [] } = useVitalsOfViewQuery({ siteId, pageId }, { refetchOnMountOrArgChange: true });
  if (data.length === 0) return null;
  return (
    <Section title={t('ofView')}>
      <dl style={{ display: 'grid', gridTemplateColumns: 'max-content max-content minmax(0, 1fr)', gap: '4px 16px', margin: 0 }}>
        {data.map(({ metric, value: amount, rating, attribution }) => (
          <div key={metric} style={{ display: 'contents' }}>
            <dt title={t(`metric.${metric}.name`)}>{t(`metric.${metric}.short`)}</dt>
            <dd style={{ margin: 0, textAlign: 'right' }}>
              <RatedValue metric={metric} value={amount} rating={rating} />
            </dd>
            <dd style={{ margin: 0, color: 'var(--ink-2)', overflowWrap: 'anywhere' }} title={value(metric, amount)}>
              {[attribution['target'] ?? attribution['interactionTarget'] ?? attribution['largestShiftTarget'], attribution['url'] ?? attribution['scriptUrl']]
                .filter((one) => one !== undefined)
                .join(t('separator'))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
