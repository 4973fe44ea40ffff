import type { Site } from '@contract/sites/schemas';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { CardSection } from './CardSection';
import { Facts } from './Facts';
import type { Dashboard } from './useDashboard';

/** Customer service: what waits, and for how long. Absent while it is off. */
export const SupportCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { number, relative, decimal } = useFormat();
  const card = dashboard.cards?.support;
  // It takes no place while it loads, because many sites do not use it.
  if (!card || card.state === 'empty') return null;
  return (
    <CardSection id="support" dashboard={dashboard} title={t('card.support')} more={`/site/${site.id}/cs`} columns={4}>
      {({ unread, waiting, waitingSince, today, agentsOnline, rating, ratings }) => (
        <Facts
          rows={[
            { id: 'unread', name: t('support.unread'), value: unread === 0 ? '0' : <strong>{number(unread)}</strong> },
            { id: 'waiting', name: t('support.waiting'), value: number(waiting) },
            { id: 'longest', name: t('support.longest'), value: waitingSince === null ? '–' : relative(waitingSince) },
            { id: 'today', name: t('support.today'), value: number(today) },
            { id: 'agents', name: t('support.agents'), value: number(agentsOnline) },
            { id: 'rating', name: t('support.rating'), value: rating === null ? '–' : t('support.ratingOf', { rating: decimal(rating, 1), count: ratings }) },
          ]}
        />
      )}
    </CardSection>
  );
};
