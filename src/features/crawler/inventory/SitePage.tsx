import { Button } from '@mui/material';
import type { ComponentType, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import type { CrawledRun, CrawledSite } from '@contract/crawler/inventorySchemas';
import { isOpenRun } from '@contract/crawler/terms';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Sparkline } from '@/ui/chart/Sparkline';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { KeyFigure } from '@/ui/KeyFigure';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { CompareTab } from './CompareTab';
import { inventoryApi, useCrawledSiteQuery } from './inventoryApi';
import { IssuesTab } from './IssuesTab';
import { LinksTab } from './LinksTab';
import { PagesTab } from './PagesTab';
import type { RunProps } from './run';
import { SitemapsTab } from './SitemapsTab';
import { TemplatesTab } from './TemplatesTab';
import { useFoundAgain } from './useFoundAgain';
import './inventory.css';

const contents = {
  issues: IssuesTab,
  pages: PagesTab,
  links: LinksTab,
  templates: TemplatesTab,
  sitemaps: SitemapsTab,
  compare: CompareTab,
} satisfies Readonly<Record<string, ComponentType<RunProps>>>;
const tabs = Object.keys(contents) as (keyof typeof contents)[];
const address = { tab: oneOf(tabs, 'issues'), run: text('', 36) };

const noRuns: CrawledSite['runs'] = [];

/** The score of a run, and how it came about. */
function Trend({ site, run }: { readonly site: CrawledSite; readonly run: CrawledRun }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const scores = site.runs
    .filter(({ crawlerId, score }) => crawlerId === run.crawlerId && score !== null)
    .map(({ score }) => score ?? 0)
    .toReversed();
  const total = run.issues.error + run.issues.warning + run.issues.notice;
  return (
    <div className="inventory-figures">
      <KeyFigure
        name={t('site.score')}
        value={run.score === null ? '—' : format.number(Math.round(run.score))}
        below={scores.length > 1 ? <Sparkline values={scores} /> : undefined}
      />
      <KeyFigure
        name={t('column.issues')}
        value={format.compact(total)}
        below={t('site.errors', { count: run.issues.error, countText: format.number(run.issues.error) })}
      />
      <KeyFigure name={t('site.read')} value={format.compact(run.pages)} />
      <KeyFigure
        name={t('site.indexable')}
        value={format.compact(site.indexable)}
        below={t('site.ofPages', { count: site.pages, countText: format.number(site.pages) })}
      />
      <KeyFigure name={t('site.addresses')} value={format.compact(site.addresses)} />
    </div>
  );
}

function Screen({ site, siteId }: { readonly site: CrawledSite; readonly siteId: string }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [{ tab, run: chosen }, change] = useSearchState(address);
  const role = useAppSelector((state) => selectSite(state, siteId)?.role);
  const usual = site.runs.find((run) => !isOpenRun(run) && run.kind === 'audit') ?? site.runs.find((run) => !isOpenRun(run)) ?? site.runs[0];
  const run = site.runs.find(({ id }) => id === chosen) ?? usual;
  if (run === undefined)
    return (
      <EmptyState
        ghost="rows"
        title={t('site.none')}
        action={
          role !== undefined &&
          mayOnSite(role, 'crawler.configure') && (
            <Button variant="contained" component={Link} to={`${href('developer.crawler.new')}?kind=audit&site=${siteId}`}>
              {t('site.audit')}
            </Button>
          )
        }
      >
        {t('site.noneText')}
      </EmptyState>
    );
  const Content = contents[tab];
  const withRun = chosen === '' ? '' : `&run=${chosen}`;
  return (
    <>
      <div className="inventory-filters">
        <FilterSelect
          label={t('site.run')}
          value={run.id}
          choices={site.runs.map(({ id, crawlerName, number, createdAt }) => ({
            value: id,
            label: t('compare.withRun', { run: t('run.name', { crawler: crawlerName, number }), date: format.date(createdAt, { weekday: false }) }),
          }))}
          onChoose={(next) => change({ run: next === usual?.id ? '' : next })}
        />
        <Link className="text-link" to={href('developer.crawler.one', { crawlerId: run.crawlerId })}>
          {t('site.toCrawler')}
        </Link>
      </div>
      <Trend site={site} run={run} />
      <TabLinks label={t('site.tabs')} current={tab} tabs={tabs.map((id) => ({ id, name: t(`tab.${id}`), to: `?tab=${id}${withRun}` }))} />
      <div className="inventory-content">
        <Content key={run.id} crawlerId={run.crawlerId} runId={run.id} />
      </div>
    </>
  );
}

/** Everything that crawls know of one site: issues, pages, links, templates, sitemaps and comparisons. */
export function Component(): ReactElement {
  const { t } = useTranslation('inventory');
  const { siteId = '' } = useParams();
  const dispatch = useAppDispatch();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const result = useCrawledSiteQuery({ siteId }, { refetchOnMountOrArgChange: true });
  const { refetch } = result;
  const runs = result.data?.runs ?? noRuns;
  useFoundAgain(runs);
  // A run in progress reports several times a second.
  const refresh = useThrottled(() => void refetch(), 5000, { fresh: true });
  useLive([`crawl:${siteId}`], (signal) => {
    const hasEnded = signal.type === 'crawl' && runs.some((run) => run.id === signal.runId && !isOpenRun(run));
    if (signal.type === 'resync' || hasEnded) dispatch(inventoryApi.util.invalidateTags(['CrawlFound', 'CrawlLinks']));
    else if (signal.type === 'crawl') refresh();
  });
  return (
    <>
      <PageHeader title={t('site.title')} note={site?.name ?? ''} />
      <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
        {(crawled) => <Screen key={siteId} site={crawled} siteId={siteId} />}
      </ResultState>
    </>
  );
}
