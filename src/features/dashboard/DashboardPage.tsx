import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import { Fragment, type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { analyticsApi, useInstallQuery } from '@/features/analytics/analyticsApi';
import { selectSite } from '@/features/sites/sitesSlice';
import { useUptimeQuery } from '@/features/uptime/uptimeApi';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { InstallSection } from './InstallSection';
import { RealtimeSection } from './RealtimeSection';
import { TodaySection } from './TodaySection';
import { TopSection } from './TopSection';
import { UptimeSection } from './UptimeSection';

const Board = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 40,
  alignItems: 'start',
  '& > *': { margin: '0 !important' },
  '@media (min-width: 1000px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', '& > :not([data-half])': { gridColumn: 'span 2' } },
});
const pollMs = 5000;
const reportPauseMs = 10_000;
const onlinePauseMs = 2000;

const Dashboard = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation('nav');
  const dispatch = useAppDispatch();
  const install = useInstallQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const waiting = install.currentData !== undefined && install.currentData.firstHitAt === null;
  // The stream reports the first hit immediately; polling covers a proxy that buffers the stream.
  useInstallQuery({ siteId: site.id }, { pollingInterval: waiting ? pollMs : 0, skipPollingIfUnfocused: true });

  const onReports = useThrottled(
    () => {
      dispatch(analyticsApi.util.invalidateTags([{ type: 'Report', id: site.id }]));
    },
    reportPauseMs,
    { fresh: true },
  );
  const onOnline = useThrottled(() => {
    dispatch(
      analyticsApi.util.invalidateTags([
        { type: 'Online', id: site.id },
        { type: 'Install', id: site.id },
      ]),
    );
  }, onlinePauseMs);
  useLive(
    useMemo(() => [`als:${site.id}`], [site.id]),
    () => {
      onReports();
      onOnline();
    },
  );
  // A state comes first, an offer to watch the site last.
  const unwatched = useUptimeQuery({ siteId: site.id }).currentData?.enabled === false;
  const uptime = <UptimeSection key="uptime" site={site} />;
  const reports = !waiting && (
    <Fragment key="reports">
      <RealtimeSection site={site} />
      <TodaySection site={site} />
      <TopSection site={site} kind="pages" />
      <TopSection site={site} kind="sources" />
    </Fragment>
  );
  return (
    <>
      <PageHeader title={t('dashboard')} />
      <Board>
        <InstallSection site={site} result={install} />
        {unwatched ? [reports, uptime] : [uptime, reports]}
      </Board>
    </>
  );
};

/** A site at a glance: pending tasks, who is online, today's figures, top pages and sources. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Dashboard key={site.id} site={site} />;
};
