import type { VisitRow } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { useLabels } from './useLabels';

const Body = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(220px, 320px)',
  gap: 24,
  padding: '12px 16px 16px 32px',
  fontSize: 'var(--text-table)',
  '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)', padding: 12 },
});
const Steps = styled('ol')({ listStyle: 'none', padding: 0 });
const Step = styled('li')({
  display: 'grid',
  gridTemplateColumns: '68px minmax(0, 1fr) auto',
  gap: 12,
  padding: '5px 0',
  alignItems: 'baseline',
  '& + &': { borderTop: '1px solid var(--line)' },
  '@media (max-width: 719px)': { gridTemplateColumns: '68px minmax(0, 1fr)', '& > :last-child': { gridColumn: 2 } },
});
const Page = styled(Link)({
  color: 'inherit',
  textDecoration: 'none',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  display: 'block',
  '&:hover': { textDecoration: 'underline' },
  '&[aria-current]': { fontWeight: 600 },
});
const Quiet = styled('span')({ color: 'var(--ink-2)', fontWeight: 400 });
const Facts = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '4px 16px',
  alignContent: 'start',
  '& dt': { color: 'var(--ink-2)' },
  '& dd': { overflowWrap: 'anywhere' },
});
const Title = styled('h3')({ fontSize: 'var(--text-table)', fontWeight: 600, marginBottom: 4 });

/** The pages of one visit in order with the time spent on each, and everything known about the visitor's device and location. */
export const VisitDetail = ({
  visit,
  siteId,
  timeZone,
  search,
  current,
}: {
  visit: VisitRow;
  siteId: string;
  timeZone: string;
  search: string;
  /** The current page. */ current?: string;
}): ReactElement => {
  const { t, format, nameOf, device, product } = useLabels();
  const facts: readonly (readonly [string, string])[] = [
    [
      t('latest.start'),
      t('latest.timeSpan', { from: format.dateTime(visit.start, { timeZone, seconds: true }), to: format.time(visit.last, { timeZone, seconds: true }) }),
    ],
    [t('latest.visitor'), `${visit.visitor} · ${visit.isNew ? t('latest.new') : t('latest.returning', { count: visit.visitNo })}`],
    [t('latest.keyword'), visit.keyword],
    [t('latest.entryReferrer'), visit.referrer],
    [t('latest.address'), visit.address],
    [t('latest.isp'), product(visit.isp)],
    [t('latest.device'), [nameOf('deviceType', visit.deviceType), device(visit)].filter((one) => one !== '').join(' · ')],
    [t('latest.screen'), visit.screen],
    [t('latest.language'), visit.language],
    [t('latest.engaged'), format.duration(visit.engagedMs / 1000)],
    ...(visit.verdict === 'human'
      ? []
      : [
          [
            t(`latest.verdict.${visit.verdict}`),
            t('latest.reasons', { reasons: visit.botReasons.map((code) => t(`reason.${code as 'agent'}`, { defaultValue: code })).join(t('list')) }),
          ] as const,
        ]),
  ];
  return (
    <Body>
      <div>
        <Title>{t('latest.pagesPath')}</Title>
        <Steps>
          {visit.pages.map((page) => (
            <Step key={page.pageId}>
              <Quiet>{format.time(page.at, { timeZone, seconds: true })}</Quiet>
              <Page
                {...(page.pageId === current ? { 'aria-current': 'page' as const } : {})}
                to={{ pathname: href('site.als.latest.events', { siteId, pageId: page.pageId }), search }}
                title={`${page.title}\n${page.path}`}
              >
                {page.path} {page.title !== '' && <Quiet>{page.title}</Quiet>}
              </Page>
              <Quiet>
                {[
                  t('latest.dwell', { time: format.duration(page.engagedMs / 1000) }),
                  ...(page.scroll > 0 ? [t('latest.scroll', { percent: format.percent(page.scroll / 100, 0) })] : []),
                  ...(page.events > 0 ? [t('latest.eventsCount', { count: page.events })] : []),
                ].join(' · ')}
              </Quiet>
            </Step>
          ))}
        </Steps>
      </div>
      <Facts>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </Facts>
    </Body>
  );
};
