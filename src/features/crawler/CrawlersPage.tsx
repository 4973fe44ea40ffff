import { Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlerSummary } from '@contract/crawler/schemas';
import { crawlerKinds, isOpenRun } from '@contract/crawler/terms';
import { mayOnSite } from '@contract/permissions';
import { selectSites } from '@/features/sites/sitesSlice';
import { oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { PageHeader } from '@/ui/PageHeader';
import { SearchBox } from '@/ui/SearchBox';
import { CrawlerTable } from './CrawlerTable';
import { useCrawlersQuery } from './crawlerApi';
import { isGoing } from './runStates';
import { useRunActions } from './useRunActions';

const states = ['never', 'open', 'completed', 'limited', 'stopped', 'failed'] as const;
const address = {
  q: text('', 100),
  site: text('', 12),
  kind: oneOf(['all', ...crawlerKinds], 'all'),
  state: oneOf(['all', ...states], 'all'),
  page: whole(1, 1, 100_000),
  size: whole(20, 1, 100),
};
type Address = ReturnType<typeof useListAddress<typeof address>>;

const createAddress = (kind?: string): string => `${href('developer.crawler.new')}${kind === undefined ? '' : `?kind=${kind}`}`;

/** What a first crawler may be for. */
function Templates(): ReactElement {
  const { t } = useTranslation('crawler');
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'center' }}>
      {crawlerKinds.map((kind, at) => (
        <li key={kind}>
          <Button component={Link} to={createAddress(kind)} variant={at === 0 ? 'contained' : 'outlined'} title={t(`kind.${kind}.text`)}>
            {t(`template.${kind}`)}
          </Button>
        </li>
      ))}
    </Box>
  );
}

function Filters({ list: { state, filter, search } }: { readonly list: Address }): ReactElement {
  const { t } = useTranslation('crawler');
  const sites = useAppSelector(selectSites).filter(({ role }) => mayOnSite(role, 'crawler.read'));
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
      <SearchBox label={t('list.search')} value={search.value} onChange={search.onChange} />
      <FilterSelect
        label={t('column.site')}
        value={state.site}
        choices={[{ value: '', label: t('list.anySite') }, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
        onChoose={(site) => filter({ site })}
      />
      <FilterSelect
        label={t('column.kind')}
        value={state.kind}
        choices={[{ value: 'all', label: t('list.anyKind') }, ...crawlerKinds.map((value) => ({ value, label: t(`kind.${value}.name`) }))]}
        onChoose={(kind) => filter({ kind: crawlerKinds.find((one) => one === kind) ?? 'all' })}
      />
      <FilterSelect
        label={t('column.lastRun')}
        value={state.state}
        choices={[{ value: 'all', label: t('list.anyState') }, ...states.map((value) => ({ value, label: t(`list.state.${value}`) }))]}
        onChoose={(next) => filter({ state: states.find((one) => one === next) ?? 'all' })}
      />
    </Box>
  );
}

/** Runs or pauses the chosen crawlers. */
function BulkBar({ rows, onDone }: { readonly rows: readonly CrawlerSummary[]; readonly onDone: () => void }): ReactElement {
  const { t } = useTranslation('crawler');
  const actions = useRunActions();
  const idle = rows.filter(({ lastRun }) => lastRun === null || !isOpenRun(lastRun));
  const going = rows.flatMap(({ lastRun }) => (lastRun !== null && isGoing(lastRun.state) ? [lastRun.id] : []));
  const all = async (work: readonly (() => Promise<unknown>)[]): Promise<void> => {
    for (const one of work) await one();
    onDone();
  };
  return (
    <Box role="toolbar" aria-label={t('list.bulk')} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
      <span role="status">{t('list.chosen', { count: rows.length })}</span>
      <Button
        size="small"
        disabled={actions.busy || idle.length === 0}
        onClick={() =>
          void all(
            idle.map(
              ({ id }) =>
                () =>
                  actions.start(id),
            ),
          )
        }
      >
        {t('run.start')}
      </Button>
      <Button size="small" disabled={actions.busy || going.length === 0} onClick={() => void all(going.map((id) => () => actions.pause(id)))}>
        {t('run.pause')}
      </Button>
      <Button size="small" onClick={onDone}>
        {t('list.unchoose')}
      </Button>
    </Box>
  );
}

/** All crawlers of the sites whose crawlers the person may see. */
export function Component(): ReactElement {
  const { t } = useTranslation('crawler');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const sites = useAppSelector(selectSites);
  const readable = sites.filter(({ role }) => mayOnSite(role, 'crawler.read'));
  const mayCreate = sites.some(({ role }) => mayOnSite(role, 'crawler.configure'));
  const list = useListAddress(address, ['q', 'site', 'kind', 'state']);
  const { state, paging, isFiltered, clear } = list;
  const result = useCrawlersQuery(
    {
      page: state.page,
      size: state.size,
      ...(state.q.trim() !== '' && { q: state.q.trim() }),
      ...(state.site !== '' && { siteId: state.site }),
      ...(state.kind !== 'all' && { kind: state.kind }),
      ...(state.state !== 'all' && { state: state.state }),
    },
    { refetchOnMountOrArgChange: true },
  );
  // Every run in progress reports several times a second.
  const refresh = useThrottled(() => void result.refetch(), 2000);
  useLive(
    readable.map(({ id }) => `crawl:${id}`),
    (signal) => {
      if (signal.type === 'resync' || signal.type === 'crawl') refresh();
    },
  );
  const empty = isFiltered ? (
    <NoMatch title={t('list.noMatch')} onClear={clear} />
  ) : (
    <EmptyState ghost="rows" title={t('list.empty')} action={mayCreate && <Templates />}>
      {t(mayCreate ? 'list.emptyText' : 'list.emptyRead')}
    </EmptyState>
  );
  const isEmpty = result.data?.total === 0 && !isFiltered;
  return (
    <>
      <PageHeader
        title={t('title')}
        note={t('lead')}
        actions={
          mayCreate &&
          !isEmpty && (
            <Button component={Link} to={createAddress()} variant="contained">
              {t('list.create')}
            </Button>
          )
        }
      />
      {!isEmpty && <Filters list={list} />}
      <PagedList result={result} paging={paging} empty={empty}>
        {(rows) => {
          const selected = rows.filter(({ id }) => chosen.has(id));
          return (
            <>
              {selected.length > 0 && <BulkBar rows={selected} onDone={() => setChosen(new Set())} />}
              <CrawlerTable rows={rows} chosen={chosen} onChoose={setChosen} />
            </>
          );
        }}
      </PagedList>
    </>
  );
}
