import type { Site } from '@contract/sites/schemas';
import { leastForVerdict } from '@contract/vitals/terms';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Tag } from '@/ui/Tag';
import { CardSection, Quiet } from './CardSection';
import { Facts } from './Facts';
import type { Dashboard } from './useDashboard';

const Bar = styled('span')({
  display: 'inline-flex',
  width: 72,
  height: 6,
  borderRadius: 1,
  overflow: 'hidden',
  marginInlineEnd: 12,
  verticalAlign: 'middle',
  background: 'var(--n-3)',
  '& > i:nth-of-type(1)': { background: 'var(--good)' },
  '& > i:nth-of-type(2)': { background: 'var(--warning)' },
  '& > i:nth-of-type(3)': { background: 'var(--bad)' },
});
const tones = { good: 'good', needs: 'warning', poor: 'bad' } as const;

/** The core web vitals of seven days, and the page that loads slowest. */
export const VitalsCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { decimal, number, percent } = useFormat();
  const write = (metric: string, value: number): string =>
    metric === 'cls'
      ? decimal(value, 2)
      : value >= 1000
        ? t('vitals.seconds', { value: decimal(value / 1000, 1) })
        : t('vitals.milliseconds', { value: number(Math.round(value)) });
  const name = t('card.vitals');
  return (
    <CardSection
      id="vitals"
      dashboard={dashboard}
      title={name}
      note={t('vitals.note')}
      more={`${href('developer.webcv')}?site=${site.id}`}
      columns={4}
      empty={<Quiet>{t('vitals.empty')}</Quiet>}
    >
      {({ scores, worst }) => (
        <>
          <Facts
            rows={scores.map(({ metric, n, p75, rating, good, needs, poor }) => ({
              id: metric,
              name: (
                <>
                  {metric.toUpperCase()}{' '}
                  {rating === null ? (
                    <span>{t('vitals.few', { count: n, least: leastForVerdict })}</span>
                  ) : (
                    <Tag tone={tones[rating]}>{t(`vitals.rating.${rating}`)}</Tag>
                  )}
                </>
              ),
              value: (
                <>
                  {n > 0 && (
                    <Bar role="img" aria-label={t('vitals.shares', { good: percent(good / n, 0), needs: percent(needs / n, 0), poor: percent(poor / n, 0) })}>
                      {[good, needs, poor].map((count, index) => (
                        <i key={index} style={{ width: `${(count / n) * 100}%` }} />
                      ))}
                    </Bar>
                  )}
                  <span style={{ display: 'inline-block', minWidth: 56 }}>{p75 === null ? '–' : write(metric, p75)}</span>
                </>
              ),
            }))}
          />
          {worst && <Quiet style={{ overflowWrap: 'anywhere', marginTop: 8 }}>{t('vitals.worst', { path: worst.path, value: write('lcp', worst.p75) })}</Quiet>}
        </>
      )}
    </CardSection>
  );
};
