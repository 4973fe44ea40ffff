import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { IconButton } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { analyticsApi, useInstallQuery } from '@/features/analytics/analyticsApi';
import { selectSite } from '@/features/sites/sitesSlice';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { useDelayed } from '@/lib/useDelayed';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { PageHeader } from '@/ui/PageHeader';
import { Bone } from '@/ui/skeletons';
import { ActivityCard } from './ActivityCard';
import { AttentionCard } from './AttentionCard';
import { CapacityCard } from './CapacityCard';
import { ContentCard } from './ContentCard';
import { HostnamesCard } from './HostnamesCard';
import { InstallSection } from './InstallSection';
import { LiveCard } from './LiveCard';
import { SearchCard } from './SearchCard';
import { SetupCard, SetupLink } from './SetupCard';
import { SupportCard } from './SupportCard';
import { TodayCard } from './TodayCard';
import { TopCard } from './TopCard';
import { UptimeSection } from './UptimeSection';
import { useDashboard } from './useDashboard';
import type { Dashboard as CardsOfSite } from './useDashboard';
import { VitalsCard } from './VitalsCard';

const Board = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: '32px 40px',
  alignItems: 'start',
  '& > *': { margin: '0 !important', minWidth: 0 },
  '@media (min-width: 900px)': {
    gridTemplateColumns: 'repeat(12, minmax(0, 1fr))',
    columnGap: 24,
    '& > *': { gridColumn: 'span 12' },
    '& > [data-columns="6"], & > [data-card="vitals"], & > [data-card="search"]': { gridColumn: 'span 6' },
  },
  '@media (min-width: 1200px)': {
    columnGap: 40,
    '& > [data-columns="8"]': { gridColumn: 'span 8' },
    '& > [data-columns="4"]': { gridColumn: 'span 4' },
    // Without customer service, two cards share the row.
    '&:not(:has(> [data-card="support"])) > :is([data-card="vitals"], [data-card="search"])': { gridColumn: 'span 6' },
  },
});
const cardsOnFirstScreen = 6;
const pollMs = 5000;
/** How long the board waits for the installation, which stands above it, in milliseconds. */
const installMs = 2000;
const installEvery = 2000;

/** The installation while no visit has arrived, for those who may read analytics. */
function useFirstVisit(site: Site) {
  const reads = mayOnSite(site.role, 'analytics.read');
  const install = useInstallQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true, skip: !reads });
  const isWaiting = install.currentData?.firstHitAt === null;
  // The stream reports the first hit immediately; polling covers a proxy that buffers the stream.
  useInstallQuery({ siteId: site.id }, { pollingInterval: isWaiting ? pollMs : 0, skipPollingIfUnfocused: true, skip: !reads });
  return { reads, install, isWaiting };
}

const TrafficCards = (own: { site: Site; dashboard: CardsOfSite }): ReactElement => (
  <>
    <TodayCard {...own} />
    <LiveCard {...own} />
    <TopCard {...own} kind="pages" />
    <TopCard {...own} kind="sources" />
    <VitalsCard {...own} />
  </>
);

/** Until it is known which cards there are and how high they get, so that no heading moves. */
const Loading = (): ReactElement => {
  const isLate = useDelayed(true);
  return (
    <Board aria-busy="true" style={{ visibility: isLate ? 'visible' : 'hidden' }}>
      {Array.from({ length: cardsOnFirstScreen }, (_, at) => (
        <div key={at} data-columns="6">
          <Bone w="30%" h={16} style={{ marginBottom: 12 }} />
          <Bone h={96} />
        </div>
      ))}
    </Board>
  );
};

const Dashboard = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation(['dashboard', 'nav']);
  const { time } = useFormat();
  const dispatch = useAppDispatch();
  const { reads, install, isWaiting } = useFirstVisit(site);
  const dashboard = useDashboard(site.id);
  const onInstall = useThrottled(() => {
    dispatch(analyticsApi.util.invalidateTags([{ type: 'Install', id: site.id }]));
  }, installEvery);
  useLive(
    useMemo(() => (reads ? [`als:${site.id}`] : []), [reads, site.id]),
    () => {
      if (isWaiting) onInstall();
      dashboard.onVisit();
    },
  );
  const { at, error, cards } = dashboard;
  const isSlow = useDelayed(install.isLoading, installMs);
  const isLoading = (cards === undefined && error === undefined) || (install.isLoading && !isSlow);
  // Nothing opens before the board shows: the panel about the change of visitors scrolls to itself.
  const own = { site, dashboard: isLoading ? { ...dashboard, cards: undefined } : dashboard };
  return (
    <>
      <PageHeader
        title={t('nav:dashboard')}
        actions={
          <>
            {at !== undefined && <span style={{ color: 'var(--ink-2)', fontSize: 'var(--text-secondary)' }}>{t('readAt', { time: time(at) })}</span>}
            <IconButton
              aria-label={t('refresh')}
              title={t('refresh')}
              disabled={at === undefined || dashboard.isRefreshing}
              onClick={() => dashboard.refresh()}
            >
              <Icon name="refresh" />
            </IconButton>
          </>
        }
      />
      {isLoading && <Loading />}
      <Board style={isLoading ? { display: 'none' } : undefined}>
        {reads && <InstallSection site={site} result={install} />}
        {error !== undefined && cards === undefined ? (
          <ErrorPanel failure={isFailure(error) ? error : null} onRetry={() => dashboard.refresh()} retrying={dashboard.isFetching} />
        ) : (
          <>
            <AttentionCard {...own} />
            <SetupCard {...own} />
            {!isWaiting && <TrafficCards {...own} />}
            <SearchCard {...own} />
            <SupportCard {...own} />
            <HostnamesCard {...own} />
          </>
        )}
        <div id="uptime" data-columns="6">
          <UptimeSection site={site} />
        </div>
        {cards !== undefined && (
          <>
            <ContentCard {...own} />
            <CapacityCard {...own} />
            <ActivityCard dashboard={dashboard} />
            <SetupLink {...own} />
          </>
        )}
      </Board>
    </>
  );
};

/** The day’s start over all parts of a site: what needs attention, today’s visits and why they changed, and the state of everything else. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Dashboard key={site.id} site={site} />;
};
