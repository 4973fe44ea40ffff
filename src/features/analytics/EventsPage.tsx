import type { PageEvents } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { ViewVitals } from '@/features/vitals/ViewVitals';
import { normalizePath } from '@contract/paths';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { usePageEventsQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { useLabels } from './useLabels';
import { VisitDetail } from './VisitDetail';

const List = styled('ol')({ listStyle: 'none', padding: 0 });
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '76px 96px minmax(0, 1fr)',
  gap: 12,
  padding: '8px 0',
  fontSize: 'var(--text-table)',
  borderBottom: '1px solid var(--line)',
  overflowWrap: 'anywhere',
  '@media (max-width: 719px)': { gridTemplateColumns: '76px minmax(0, 1fr)', '& > :nth-of-type(2)': { display: 'none' } },
});
/** Without the indent that the visit has below a row of the list. */
const Visit = styled('div')({ marginInline: '-32px -16px', '@media (max-width: 899px)': { marginInline: -12 } });
const Quiet = styled('span')({ color: 'var(--ink-2)' });
const Props = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '2px 12px',
  marginTop: 4,
  '& dt': { color: 'var(--ink-2)' },
});

const Timeline = ({ result, timeZone }: { result: PageEvents; timeZone: string }): ReactElement => {
  const { t, format } = useLabels();
  const [first] = result.events;
  if (first === undefined) return <p>{t('events.empty')}</p>;
  return (
    <List>
      {result.events.map((event) => {
        const props = Object.entries(event.props);
        return (
          <Item key={event.seq}>
            <Quiet>{format.time(event.at, { timeZone, seconds: true })}</Quiet>
            <Quiet>{event === first ? '' : t('events.after', { time: format.duration(Math.max(0, event.at - first.at) / 1000) })}</Quiet>
            <div>
              <strong style={{ fontWeight: 500 }}>
                {event.kind === 'event' ? t('events.kind.event', { name: event.name }) : t(`events.kind.${event.kind}`)}
              </strong>{' '}
              {event.kind === 'engage' && (
                <Quiet>{t('events.engage', { time: format.duration(event.engagedMs / 1000), percent: format.percent(event.scroll / 100, 0) })}</Quiet>
              )}
              {event.kind === 'view' && <Quiet>{normalizePath(event.url.replace(/^(https?:)?\/\//, ''))}</Quiet>}
              {props.length > 0 && (
                <Props aria-label={t('events.props')}>
                  {props.map(([name, value]) => (
                    <div key={name} style={{ display: 'contents' }}>
                      <dt>{name}</dt>
                      <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                    </div>
                  ))}
                </Props>
              )}
            </div>
          </Item>
        );
      })}
    </List>
  );
};

const Events = ({ site, pageId }: { site: Site; pageId: string }): ReactElement => {
  const { t } = useTranslation(['analytics', 'nav']);
  const [params] = useSearchParams();
  const search = params.toString();
  const result = usePageEventsQuery({ siteId: site.id, pageId });
  const list = { pathname: href('site.als.latest', { siteId: site.id }), search };
  const to = (id: string) => ({ pathname: href('site.als.latest.events', { siteId: site.id, pageId: id }), search });
  const data = result.currentData;
  const back = (
    <Button component={Link} to={list}>
      {t('events.back')}
    </Button>
  );
  const missing = isFailure(result.error) && (result.error.status === 404 || result.error.status === 422);
  const page = data?.visit.pages.find((one) => one.pageId === data.pageId);
  return (
    <>
      <PageHeader
        title={t('nav:events')}
        {...(page === undefined ? {} : { note: [page.path, page.title].filter((one) => one !== '').join(' · ') })}
        actions={
          <>
            {back}
            {data !== undefined &&
              (data.previous === null ? (
                <Button disabled>{t('events.previous')}</Button>
              ) : (
                <Button component={Link} to={to(data.previous)}>
                  {t('events.previous')}
                </Button>
              ))}
            {data !== undefined &&
              (data.next === null ? (
                <Button disabled>{t('events.next')}</Button>
              ) : (
                <Button component={Link} to={to(data.next)}>
                  {t('events.next')}
                </Button>
              ))}
          </>
        }
      />
      {missing ? (
        <EmptyState title={t('events.missing')} action={back}>
          {t('events.missingText')}
        </EmptyState>
      ) : (
        <BlockState name={t('events.timeline')} result={result} skeleton={<RowsSkeleton rows={6} />}>
          {(found) => (
            <>
              <Section title={t('events.timeline')}>
                <Timeline result={found} timeZone={site.timeZone} />
              </Section>
              <ViewVitals siteId={site.id} pageId={pageId} />
              <Section title={t('events.visit')}>
                <Visit>
                  <VisitDetail visit={found.visit} siteId={site.id} timeZone={site.timeZone} search={search} current={found.pageId} />
                </Visit>
              </Section>
              <PlaceCredit />
            </>
          )}
        </BlockState>
      )}
    </>
  );
};

/** als/latest/events/{pageId}: everything that happened on one page view, and its place in the visit. */
export const Component = (): ReactElement | null => {
  const { siteId, pageId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined || pageId === undefined ? null : <Events key={pageId} site={site} pageId={pageId} />;
};
