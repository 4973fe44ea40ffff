import type { Site } from '@contract/sites/schemas';
import { LinearProgress } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Delta } from '@/ui/Delta';
import { CardSection } from './CardSection';
import { Facts } from './Facts';
import type { Dashboard } from './useDashboard';

/** What the site stores and how much it measures, against its limits and last month. */
export const CapacityCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { number, percent } = format;
  return (
    <CardSection id="capacity" dashboard={dashboard} title={t('card.capacity')} more={href('site.resource', { siteId: site.id })} columns={6}>
      {({ usedBytes, maxBytes, pages, hits }) => {
        const share = Math.min(1, usedBytes / Math.max(1, maxBytes));
        return (
          <>
            <LinearProgress
              variant="determinate"
              value={share * 100}
              color={share >= 0.9 ? 'error' : 'primary'}
              aria-label={t('capacity.storage')}
              sx={{ height: 6, borderRadius: 3, mb: 0.5 }}
            />
            <Facts
              rows={[
                {
                  id: 'storage',
                  name: t('capacity.storage'),
                  value: t('capacity.of', { used: bytesText(usedBytes, format), max: bytesText(maxBytes, format), share: percent(share, 0) }),
                },
                ...(pages === null ? [] : [{ id: 'pages', name: t('capacity.pages'), value: number(pages) }]),
                ...(hits === null
                  ? []
                  : [
                      {
                        id: 'month',
                        name: t('capacity.month'),
                        value: (
                          <>
                            {number(hits.month)}{' '}
                            {hits.month + hits.before > 0 && (
                              <Delta now={hits.month} before={hits.before} better="neither" hint={`${number(hits.month)} / ${number(hits.before)}`} />
                            )}
                          </>
                        ),
                      },
                      { id: 'lastMonth', name: t('capacity.lastMonth'), value: number(hits.lastMonth) },
                    ]),
              ]}
            />
          </>
        );
      }}
    </CardSection>
  );
};
