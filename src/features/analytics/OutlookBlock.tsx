import type { Outlook } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { useOutlookQuery } from './blocksApi';
import { reportQuery } from './urlState';
import { useLabels } from './useLabels';
import { WhyButton } from './WhyButton';

type Measure = 'visitors' | 'visits' | 'views';
const Grid = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 240px), 1fr))', gap: '16px 32px' });
const Name = styled('h3')({ fontSize: '0.75rem', fontWeight: 400, color: 'var(--ink-2)' });
const Figure = styled('p')({
  fontSize: '1.25rem',
  fontWeight: 600,
  lineHeight: 1.4,
  '& small': { fontSize: '0.75rem', fontWeight: 400, color: 'var(--ink-2)', marginLeft: 6 },
});
const Facts = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content 1fr',
  gap: '2px 12px',
  fontSize: '0.8125rem',
  marginTop: 4,
  '& dt': { color: 'var(--ink-2)' },
});
const Record = styled('span')({ color: 'var(--good)', marginLeft: 8 });

const One = ({ site, state, measure }: Pick<BlockProps, 'site' | 'state'> & { readonly measure: Measure }): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const { filter, who, segment } = reportQuery(state);
  const answer = useOutlookQuery({ siteId: site.id, filter, who, measure, ...(segment === undefined ? {} : { segment }) });
  const name = labels.measure(measure);
  const write = (value: number): string => labels.short(measure, value);
  const draw = ({ soFar, forecast, best }: Outlook): ReactElement => {
    const range =
      forecast === null
        ? ''
        : forecast.low === forecast.high
          ? write(forecast.low)
          : t('blocks.outlook.range', { low: write(forecast.low), high: write(forecast.high) });
    return (
      <>
        <Figure title={format.number(soFar)}>
          {write(soFar)}
          <small>{t('blocks.outlook.soFar')}</small>
        </Figure>
        <Facts>
          <dt>{t('blocks.outlook.forecast')}</dt>
          <dd>
            {forecast === null ? (
              <span title={t('blocks.outlook.noForecastText')}>{t('blocks.outlook.noForecast')}</span>
            ) : (
              <WhyButton
                label={t('blocks.outlook.explain', { name: `${name} ${t('blocks.outlook.forecast')}`, value: range })}
                title={`${name} ${t('blocks.outlook.forecast')}`}
                explanation={<p>{t('blocks.outlook.about', { count: forecast.days, middle: format.number(forecast.middle) })}</p>}
              >
                {range}
              </WhyButton>
            )}
          </dd>
          <dt>{t('blocks.outlook.best')}</dt>
          <dd>
            {best === null ? (
              t('blocks.outlook.noBest')
            ) : (
              <>
                <WhyButton
                  label={t('blocks.outlook.explain', { name: `${name} ${t('blocks.outlook.best')}`, value: write(best.value) })}
                  title={`${name} ${t('blocks.outlook.best')}`}
                  explanation={<p>{t('blocks.outlook.aboutBest', { day: best.day, value: format.number(best.value) })}</p>}
                >
                  {write(best.value)}
                </WhyButton>{' '}
                <span style={{ color: 'var(--ink-2)' }}>{best.day}</span>
                {soFar > best.value && <Record>{t('blocks.outlook.record')}</Record>}
              </>
            )}
          </dd>
        </Facts>
      </>
    );
  };
  return (
    <section aria-label={name}>
      <Name>{name}</Name>
      <BlockState name={name} answer={answer} skeleton={<Bone w={160} h={76} />}>
        {draw}
      </BlockState>
    </section>
  );
};

/** Today so far, a forecast interval for the whole day, and the best day so far; independent of the range, under the same filters. */
const OutlookBlock: LazyBlock<'outlook'> = ({ site, state, block }): ReactElement => {
  const { t } = useLabels();
  return (
    <div style={{ marginBottom: 32 }}>
      <Section title={t('blocks.outlook.title')}>
        <Grid>
          {block.measures.map((measure) => (
            <One key={measure} site={site} state={state} measure={measure} />
          ))}
        </Grid>
      </Section>
    </div>
  );
};

export default OutlookBlock;
