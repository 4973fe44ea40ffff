import { Box, Button } from '@mui/material';
import { useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import type { Crawler, CrawlRunDetail } from '@contract/crawler/schemas';
import { isOpenRun } from '@contract/crawler/terms';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { useCrawlerQuery, useCrawlRunQuery } from './crawlerApi';
import { CompareTab } from './inventory/CompareTab';
import { IssuesTab } from './inventory/IssuesTab';
import { LinksTab } from './inventory/LinksTab';
import { PagesTab } from './inventory/PagesTab';
import { useFoundAgain } from './inventory/useFoundAgain';
import { ExportsTab } from './run/ExportsTab';
import { FamiliesTab } from './run/FamiliesTab';
import { LivePanel } from './run/LivePanel';
import { RowsTab } from './run/RowsTab';
import { RunsTab } from './run/RunsTab';
import { RunSummary } from './run/RunSummary';
import { SettingsTab } from './run/SettingsTab';
import { isGoing, RunStateTag } from './runStates';
import { tabIds } from './tabs';
import type { CrawlerTab } from './tabs';
import { useRunActions } from './useRunActions';

const address = { tab: oneOf(['auto', ...tabIds], 'auto'), run: text('', 36) };

type Rights = { readonly run: boolean; readonly configure: boolean };

function Actions({ crawler, rights }: { readonly crawler: Crawler; readonly rights: Rights }): ReactElement | null {
  const { t } = useTranslation('crawler');
  const actions = useRunActions();
  const confirm = useConfirm();
  const { lastRun } = crawler;
  if (!rights.run) return null;
  if (lastRun === null || !isOpenRun(lastRun))
    return (
      <Button variant="contained" disabled={actions.busy} onClick={() => void actions.start(crawler.id)}>
        {t('run.start')}
      </Button>
    );
  const stop = async (): Promise<void> => {
    const sure = await confirm({ title: t('run.stopTitle'), body: t('run.stopText'), confirm: t('run.stop'), danger: true });
    if (sure) await actions.stop(lastRun.id);
  };
  return (
    <>
      <Button disabled={actions.busy || lastRun.state === 'stopping'} onClick={() => void stop()}>
        {t('run.stop')}
      </Button>
      {lastRun.state === 'paused' || lastRun.state === 'pausing' ? (
        <Button variant="contained" disabled={actions.busy || lastRun.state === 'pausing'} onClick={() => void actions.resume(lastRun.id)}>
          {t('run.resume')}
        </Button>
      ) : (
        <Button variant="contained" disabled={actions.busy || !isGoing(lastRun.state)} onClick={() => void actions.pause(lastRun.id)}>
          {t('run.pause')}
        </Button>
      )}
    </>
  );
}

function TabContent({
  tab,
  crawler,
  run,
  rights,
}: {
  readonly tab: CrawlerTab;
  readonly crawler: Crawler;
  readonly run: CrawlRunDetail | null;
  readonly rights: Rights;
}) {
  const { t } = useTranslation('crawler');
  if (tab === 'runs') return <RunsTab crawler={crawler} current={run?.id ?? null} />;
  if (tab === 'settings') return <SettingsTab crawler={crawler} mayConfigure={rights.configure} />;
  if (run === null) return <EmptyState ghost="rows" title={t('run.none')} />;
  if (!run.stored)
    return (
      <EmptyState ghost="rows" title={t('run.purged')}>
        {t('run.purgedText')}
      </EmptyState>
    );
  if (tab === 'issues') return <IssuesTab crawlerId={crawler.id} runId={run.id} />;
  if (tab === 'pages') return <PagesTab crawlerId={crawler.id} runId={run.id} />;
  if (tab === 'links') return <LinksTab crawlerId={crawler.id} runId={run.id} />;
  if (tab === 'compare') return <CompareTab crawlerId={crawler.id} runId={run.id} />;
  if (tab === 'rows') return <RowsTab run={run} mayStore={rights.configure} />;
  if (tab === 'families') return <FamiliesTab run={run} mayChange={rights.run} />;
  return <ExportsTab run={run} />;
}

/** One crawler: its present or chosen run above, everything about it in tabs. */
function CrawlerScreen({ crawler, onChange }: { readonly crawler: Crawler; readonly onChange: () => void }): ReactElement {
  const { t } = useTranslation('crawler');
  const [{ tab: requested, run: chosen }] = useSearchState(address);
  const site = useAppSelector((state) => selectSite(state, crawler.siteId));
  const runId = chosen === '' ? (crawler.lastRun?.id ?? null) : chosen;
  const result = useCrawlRunQuery({ crawlRunId: runId ?? '' }, { skip: runId === null, refetchOnMountOrArgChange: true });
  const { refetch, data } = result;
  const run = runId === null || data?.crawlerId !== crawler.id ? null : data;
  useFoundAgain([run?.id === crawler.lastRun?.id ? null : crawler.lastRun, run].filter((one) => one !== null));
  const refresh = useThrottled(() => {
    onChange();
    if (runId !== null) void refetch();
  }, 500);
  const others = useRef(new Set<string>());
  useLive([`crawl:${crawler.siteId}`], (signal) => {
    if (signal.type !== 'resync' && signal.type !== 'crawl') return;
    if (signal.type === 'crawl' && signal.runId !== '' && signal.runId !== runId && signal.runId !== crawler.lastRun?.id) {
      // A new run of this crawler, or one of another crawler of the site, which reports several times a second.
      if (others.current.has(signal.runId)) return;
      others.current.add(signal.runId);
    }
    refresh();
  });
  const rights = { run: site !== undefined && mayOnSite(site.role, 'crawler.run'), configure: site !== undefined && mayOnSite(site.role, 'crawler.configure') };
  const extracts = crawler.config.extractions.length > 0;
  const isExtraction = crawler.kind === 'extract' && extracts;
  const usual = crawler.lastRun === null ? 'runs' : isExtraction ? 'rows' : 'issues';
  const tab = requested === 'auto' ? usual : requested;
  const tabs = tabIds
    .filter((id) => id !== 'rows' || extracts || (run?.rows.length ?? 0) > 0)
    .map((id) => ({
      id,
      name: t(`tab.${id}`),
      to: `?tab=${id}${chosen === '' ? '' : `&run=${chosen}`}`,
      ...(id === 'families' && { count: run?.progress?.pausedFamilies ?? 0 }),
    }));
  return (
    <>
      <PageHeader
        title={crawler.name}
        note={`${site?.name ?? ''} · ${t(`kind.${crawler.kind}.name`)} · ${crawler.config.seeds[0] ?? ''}`}
        beside={crawler.lastRun && <RunStateTag state={crawler.lastRun.state} />}
        actions={
          <>
            <Button component={Link} to={href('developer.crawler.site', { siteId: crawler.siteId })}>
              {t('run.inventory')}
            </Button>
            <Actions crawler={crawler} rights={rights} />
          </>
        }
      />
      {runId !== null && (
        <ResultState result={result} skeleton={<Box sx={{ height: 160 }} />}>
          {(current) =>
            current.progress === null ? <RunSummary run={current} isChosen={chosen !== ''} isExtraction={isExtraction} /> : <LivePanel run={current} />
          }
        </ResultState>
      )}
      <Box sx={{ mt: 3 }}>
        <TabLinks label={t('tabs')} tabs={tabs} current={tab} />
        <TabContent tab={tab} crawler={crawler} run={run} rights={rights} />
      </Box>
    </>
  );
}

export function Component(): ReactElement {
  const { crawlerId = '' } = useParams();
  const result = useCrawlerQuery({ crawlerId }, { refetchOnMountOrArgChange: true });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton />}>
      {(crawler) => <CrawlerScreen key={crawler.id} crawler={crawler} onChange={() => void result.refetch()} />}
    </ResultState>
  );
}
