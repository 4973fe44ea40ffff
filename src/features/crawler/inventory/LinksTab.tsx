import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { linkKinds, linkPositions } from '@contract/crawler/terms';
import { oneOf, text } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { ResultState } from '@/ui/ResultState';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { useCrawlGraphQuery, useCrawlLinksInfiniteQuery, useCrawlRedirectsInfiniteQuery } from './inventoryApi';
import { GraphView } from './links/GraphView';
import { LinkTable } from './links/LinkTable';
import { RedirectRows } from './links/RedirectRows';
import { MoreRows } from './MoreRows';
import { PageInspector } from './pages/PageInspector';
import type { RunProps } from './run';
import './inventory.css';

const views = ['graph', 'broken', 'redirects', 'all'] as const;
const address = { links: oneOf(views, 'graph'), q: text(), linkKind: text('', 20), position: text('', 20), nofollow: text('', 1) };

function Graph({ runId }: { readonly runId: string }): ReactElement {
  const result = useCrawlGraphQuery({ crawlRunId: runId });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(graph) => <GraphView graph={graph} />}
    </ResultState>
  );
}

function Redirects({ runId }: { readonly runId: string }): ReactElement {
  const { t } = useTranslation('inventory');
  const result = useCrawlRedirectsInfiniteQuery({ crawlRunId: runId });
  return (
    <MoreRows result={result} empty={<EmptyState ghost="rows" title={t('links.noRedirects')} />}>
      {(rows) => <RedirectRows rows={rows} />}
    </MoreRows>
  );
}

function Links({ runId, target }: { readonly runId: string; readonly target: 'all' | 'broken' }): ReactElement {
  const { t } = useTranslation('inventory');
  const { state, filter, search, isFiltered, clear } = useListAddress(address, ['q', 'linkKind', 'position', 'nofollow']);
  const kind = linkKinds.find((one) => one === state.linkKind);
  const position = linkPositions.find((one) => one === state.position);
  const result = useCrawlLinksInfiniteQuery({
    crawlRunId: runId,
    target,
    ...(kind === undefined ? {} : { kind }),
    ...(position === undefined ? {} : { position }),
    ...(state.nofollow === '1' ? { nofollow: '1' as const } : {}),
    ...(state.q === '' ? {} : { q: state.q }),
  });
  return (
    <>
      <div className="inventory-filters">
        <SearchBox label={t('links.search')} {...search} />
        <FilterSelect
          label={t('links.kind')}
          value={state.linkKind}
          choices={[{ value: '', label: t('links.anyKind') }, ...linkKinds.map((value) => ({ value, label: t(`linkKind.${value}`) }))]}
          onChoose={(linkKind) => filter({ linkKind })}
        />
        <FilterSelect
          label={t('links.position')}
          value={state.position}
          choices={[{ value: '', label: t('links.anyPosition') }, ...linkPositions.map((value) => ({ value, label: t(`position.${value}`) }))]}
          onChoose={(next) => filter({ position: next })}
        />
        <FilterSelect
          label="nofollow"
          value={state.nofollow}
          choices={[
            { value: '', label: t('links.anyFollow') },
            { value: '1', label: t('links.onlyNofollow') },
          ]}
          onChoose={(nofollow) => filter({ nofollow })}
        />
      </div>
      <MoreRows
        result={result}
        empty={
          isFiltered ? (
            <NoMatch title={t('links.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t(target === 'broken' ? 'links.noBroken' : 'links.none')} />
          )
        }
      >
        {(rows) => <LinkTable rows={rows} />}
      </MoreRows>
    </>
  );
}

/** How the pages of a run are linked: between templates, broken links, redirects, and every link. */
export function LinksTab({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const { state, change } = useListAddress(address);
  const view = state.links;
  return (
    <>
      <div className="inventory-filters">
        <Toggles
          label={t('links.view')}
          value={view}
          choices={views.map((value) => ({ value, label: t(`links.views.${value}`) }))}
          onChoose={(links) => change({ links, q: '', linkKind: '', position: '', nofollow: '' })}
        />
      </div>
      {view === 'graph' && <Graph runId={runId} />}
      {view === 'redirects' && <Redirects runId={runId} />}
      {(view === 'all' || view === 'broken') && <Links key={view} runId={runId} target={view} />}
      <PageInspector crawlerId={crawlerId} runId={runId} />
    </>
  );
}
