import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnlineQuery } from '@/features/analytics/analyticsApi';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { MinuteChart } from '@/ui/chart/Chart';
import { KeyFigure } from '@/ui/KeyFigure';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { MoreLink } from './MoreLink';
import { SectionState } from './SectionState';

const Row = styled('div')({
  display: 'grid',
  gridTemplateColumns: '132px minmax(0, 1fr)',
  gap: 24,
  alignItems: 'end',
  '@media (max-width: 719px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 },
});
const pollMs = 15_000;

/** Who is online now, and page views by minute for thirty; refreshed every 15 s and at every hit, not in a hidden tab. */
export const RealtimeSection = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { number, compact, time } = useFormat();
  const result = useOnlineQuery({ siteId: site.id }, { pollingInterval: pollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  const name = t('realtime');
  return (
    <Section title={name} actions={<MoreLink to={href('site.als.latest', { siteId: site.id })} name={name} />}>
      <SectionState
        name={name}
        result={result}
        skeleton={
          <Row>
            <KeyFigure name={t('online')} value="" loading />
            <Bone h={72} />
          </Row>
        }
      >
        {({ online, perMinute }) => (
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
        )}
      </SectionState>
    </Section>
  );
};
