import type { Online } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import type { QueryResult } from '@/ui/ResultState';
import { MinuteChart } from '@/ui/chart/Chart';
import { KeyFigure } from '@/ui/KeyFigure';
import { Bone } from '@/ui/skeletons';
import { BlockState } from './BlockState';
import { useLabels } from './useLabels';

const Row = styled('section')({
  display: 'grid',
  gridTemplateColumns: 'minmax(160px, max-content) minmax(0, 1fr)',
  gap: 24,
  alignItems: 'end',
  marginBottom: 32,
  maxWidth: 900,
  '@media (max-width: 719px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 },
});

/** Visitors of the last five minutes, and page views by minute for thirty. */
export const OnlineNow = ({ result, timeZone }: { result: QueryResult<Online>; timeZone: string }): ReactElement => {
  const { t, format } = useLabels();
  return (
    <BlockState
      name={t('latest.online')}
      result={result}
      skeleton={
        <Row aria-hidden>
          <KeyFigure name={t('latest.online')} value="" loading />
          <Bone h={72} />
        </Row>
      }
    >
      {({ online, perMinute }) => (
        <Row aria-label={t('latest.online')}>
          <div title={t('latest.onlineHelp')}>
            <KeyFigure
              name={t('latest.online')}
              value={format.number(online)}
              below={<span style={{ color: 'var(--ink-2)' }}>{t('latest.onlineHelp')}</span>}
            />
          </div>
          <MinuteChart
            label={t('latest.perMinute')}
            points={perMinute.map(({ at }, index) => ({
              name: format.time(at, { timeZone }),
              tick: format.time(at, { timeZone }),
              open: index === perMinute.length - 1,
            }))}
            line={{
              id: 'views',
              name: t('latest.views'),
              unit: 'count',
              values: perMinute.map((one) => one.views),
              write: (value) => (value === null ? '–' : format.number(value)),
              writeTick: format.compact,
            }}
          />
        </Row>
      )}
    </BlockState>
  );
};
