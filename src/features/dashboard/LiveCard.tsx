import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { MinuteChart } from '@/ui/chart/Chart';
import { KeyFigure } from '@/ui/KeyFigure';
import { Bone } from '@/ui/skeletons';
import { CardSection } from './CardSection';
import { Facts } from './Facts';
import type { Dashboard } from './useDashboard';

const Row = styled('div')({ display: 'grid', gridTemplateColumns: '112px minmax(0, 1fr)', gap: 16, alignItems: 'end', marginBottom: 8 });

/** Who is online, page views by minute for thirty minutes, and the pages where most visitors are. */
export const LiveCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { number, compact, time } = useFormat();
  const name = t('card.live');
  return (
    <CardSection
      id="live"
      dashboard={dashboard}
      title={name}
      more={href('site.als.latest', { siteId: site.id })}
      columns={4}
      skeleton={
        <Row>
          <KeyFigure name={t('online')} value="" loading />
          <Bone h={72} />
        </Row>
      }
    >
      {({ online, perMinute, pages }) => (
        <>
          <Row>
            <KeyFigure name={t('online')} value={number(online)} below={<span style={{ color: 'var(--ink-2)' }}>{t('onlineHelp')}</span>} />
            <MinuteChart
              label={t('perMinute')}
              points={perMinute.map(({ at }, index) => ({
                name: time(at, { timeZone: site.timeZone }),
                tick: time(at, { timeZone: site.timeZone }),
                open: index === perMinute.length - 1,
              }))}
              line={{
                id: 'views',
                name: t('views'),
                unit: 'count',
                values: perMinute.map((one) => one.views),
                write: (value) => (value === null ? '–' : number(value)),
                writeTick: compact,
              }}
            />
          </Row>
          <Facts rows={pages.map(({ path, visitors }) => ({ id: path, name: path, value: number(visitors) }))} />
        </>
      )}
    </CardSection>
  );
};
