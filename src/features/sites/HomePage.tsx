import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { UptimeStatus } from '@contract/uptime/schemas';
import { withMessages } from '@/i18n';
import { selectMay } from '@/features/session/sessionSlice';
import { uptimeApi, useUptimeStatusesQuery } from '@/features/uptime/uptimeApi';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { useTyped } from '@/lib/useTyped';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { EmptyState } from '@/ui/EmptyState';
import { Kbd } from '@/ui/Kbd';
import { PageHeader } from '@/ui/PageHeader';
import { PlainButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import { HomeBar, homeViews } from './HomeBar';
import { moveFocus } from './moveFocus';
import { SiteCards } from './SiteCards';
import type { SiteDialog } from './SiteMenuPanel';
import { shows, siteRows, sorts, stateFilters } from './siteRows';
import type { FiguresById, SiteSort, StateFilter } from './siteRows';
import { useFiguresQuery } from './sitePagesApi';
import { selectSite, selectSites } from './sitesSlice';
import { usePageKeys } from './usePageKeys';
import { useSiteListeners } from './sitesListeners';
import './sites.css';

const SiteTable = lazy(() => withMui(import(/* webpackChunkName: "site-table" */ './SiteTable')));
const Bin = lazy(() => withMui(import(/* webpackChunkName: "site-table" */ './Bin')));
const RenameDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './RenameDialog'), ['form'])));
const SuspendDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './SuspendDialog'), ['form'])));
const DeleteDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './DeleteDialog'), ['form'])));

const address = { q: text(), show: oneOf(shows, 'active'), state: oneOf(stateFilters, 'any'), sort: oneOf(sorts, 'visitors') };
/** Refresh interval of the figures while the page is visible, in milliseconds. */
const pollMs = 30_000;
const uptimePollMs = 60_000;
const topics = ['sites'];

const linksIn = (frame: HTMLElement | null): HTMLElement[] => [...(frame?.querySelectorAll<HTMLElement>('[data-site-link]') ?? [])];

/** Whether monitored sites are reachable; a change of a site may be a change of that. */
function useUptimeOf(): (site: Site) => UptimeStatus | undefined {
  const dispatch = useAppDispatch();
  const { data } = useUptimeStatusesQuery(undefined, { pollingInterval: uptimePollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: 10 });
  useLive(topics, ({ type }) => {
    if (type === 'site' || type === 'resync') dispatch(uptimeApi.util.invalidateTags(['Uptime']));
  });
  return (site) => data?.find(({ siteId }) => siteId === site.id);
}

/** Today's figures by site, in one request; the list never waits for it. */
function useFigures() {
  const { data, isError, refetch, isFetching } = useFiguresQuery(undefined, {
    pollingInterval: pollMs,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: 10,
  });
  const [known, setKnown] = useState<{ readonly data: typeof data; readonly byId: FiguresById | undefined }>({ data: undefined, byId: undefined });
  if (data !== known.data) setKnown({ data, byId: data && new Map(data.map((one) => [one.siteId, one])) });
  const retry = useCallback(() => void refetch(), [refetch]);
  return { byId: known.byId, failed: isError, retry, isFetching };
}

function FiguresUnavailable({ retry, retrying }: { readonly retry: () => void; readonly retrying: boolean }): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <p role="status" className="figures-unavailable">
      {t('figures.unavailable')}
      <PlainButton onClick={retry} disabled={retrying}>
        {t('figures.retry')}
      </PlainButton>
    </p>
  );
}

function AddLink(): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <Link className="plain-button" data-primary="" to={href('home.create.empty')}>
      {t('add')}
    </Link>
  );
}

/** Shows its shortcut if there is a keyboard. */
function AddButton(): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <Link className="plain-button" data-primary="" to={href('home.create.empty')} aria-keyshortcuts="n">
      {t('add')}
      <Kbd keys="n" />
    </Link>
  );
}

/**
 * Figures to sort by: the first ones loaded, because rows must not move under the pointer at every poll. `renew` switches to the newest. A site
 * without figures was just created: its figures are fetched immediately, not at the next poll.
 */
function useOrdering(sites: readonly Site[], { byId, retry }: Pick<ReturnType<typeof useFigures>, 'byId' | 'retry'>) {
  const [ordering, setOrdering] = useState<FiguresById | undefined>(undefined);
  if (ordering === undefined && byId !== undefined) setOrdering(byId);
  const incomplete = byId !== undefined && sites.some((site) => !byId.has(site.id));
  useEffect(() => {
    if (incomplete) retry();
  }, [incomplete, retry]);
  return { ordering, renew: () => setOrdering(byId) };
}

const siteDialogs = { rename: RenameDialog, suspend: SuspendDialog, delete: DeleteDialog };

/** The dialog of one site, if that is still there. */
function OpenDialog({ kind, siteId, onClose }: SiteDialog & { readonly onClose: () => void }): ReactElement | null {
  const site = useAppSelector((state) => selectSite(state, siteId));
  const Dialog = siteDialogs[kind];
  if (site === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Dialog site={site} onClose={onClose} />
    </Suspense>
  );
}

/** The filter appears once it can exclude anything, and stays while it does; otherwise null. */
const stateFilterOf = (sites: readonly Site[], chosen: StateFilter): StateFilter | null =>
  chosen !== 'any' || new Set(sites.flatMap(({ state }) => (state === 'archived' ? [] : [state]))).size > 1 ? chosen : null;

export function Component(): ReactElement {
  useSiteListeners();
  const { t, i18n } = useTranslation('sites');
  const navigate = useNavigate();
  const all = useAppSelector(selectSites);
  const mayCreate = useAppSelector((state) => selectMay(state, 'site.create'));
  const [{ q: searched, show, state: chosenState, sort }, change] = useSearchState(address);
  const [q, setQ] = useTyped(searched, (next) => change({ q: next }, 'replace'));
  const [chosenView, setView] = useRemembered('home.view', homeViews, 'cards');
  // A phone has no space for seven columns.
  const onPhone = useMedia(phone);
  const view = onPhone ? 'cards' : chosenView;
  const [dialog, setDialog] = useState<SiteDialog | null>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const figures = useFigures();
  const uptimeOf = useUptimeOf();
  const { ordering, renew } = useOrdering(all, figures);

  const state = show === 'active' ? stateFilterOf(all, chosenState) : null;
  const rows = siteRows(all, { show, state: state ?? 'any', q, sort, figures: ordering, locale: i18n.language });
  const figuresOf = (site: Site) => figures.byId?.get(site.id) ?? (figures.isFetching && !figures.failed ? undefined : null);
  const onSort = (next: SiteSort) => {
    renew();
    change({ sort: next });
  };
  const addHref = href('home.create.empty');
  usePageKeys({ '/': () => searchBox.current?.focus(), ...(mayCreate && { n: () => void navigate(addHref) }) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && moveFocus(linksIn(frame.current), event.target, event.key)) event.preventDefault();
  };

  return (
    <>
      <PageHeader title={t('title')} actions={mayCreate && all.length > 0 && <AddButton />} />
      <HomeBar
        q={q}
        show={show}
        state={state}
        sort={sort}
        view={onPhone ? null : view}
        searchBox={searchBox}
        onSearch={setQ}
        onShow={(next) => change({ show: next })}
        onState={(next) => change({ state: next })}
        onSort={onSort}
        onView={setView}
        onLeaveSearch={() => linksIn(frame.current)[0]?.focus()}
      />
      {show !== 'bin' && rows.length > 0 && figures.failed && <FiguresUnavailable retry={figures.retry} retrying={figures.isFetching} />}
      {/* Arrow keys move between the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={frame} onKeyDown={onKeyDown}>
        <Suspense fallback={<RowsSkeleton rows={3} />}>
          {show === 'bin' && <Bin />}
          {show !== 'bin' &&
            rows.length > 0 &&
            (view === 'cards' ? (
              <SiteCards sites={rows} figuresOf={figuresOf} uptimeOf={uptimeOf} onDialog={setDialog} />
            ) : (
              <SiteTable sites={rows} figuresOf={figuresOf} uptimeOf={uptimeOf} sort={sort} onSort={onSort} onDialog={setDialog} />
            ))}
        </Suspense>
        {show !== 'bin' && rows.length === 0 && (
          <NoSites
            total={all.length}
            show={show}
            q={q}
            state={state ?? 'any'}
            mayCreate={mayCreate}
            onClear={() => setQ('')}
            onAnyState={() => change({ state: 'any' })}
            onArchived={() => change({ show: 'archived' })}
          />
        )}
      </div>
      {dialog !== null && <OpenDialog {...dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

type NoSitesProps = {
  readonly total: number;
  readonly show: 'active' | 'archived';
  readonly q: string;
  readonly state: StateFilter;
  readonly mayCreate: boolean;
  readonly onClear: () => void;
  readonly onAnyState: () => void;
  readonly onArchived: () => void;
};

/** Why the list is empty, and one next step. */
function NoSites({ total, show, q, state, mayCreate, onClear, onAnyState, onArchived }: NoSitesProps): ReactElement {
  const { t } = useTranslation('sites');
  if (q !== '') {
    return (
      <EmptyState kind="noMatch" title={t('empty.noMatch', { q })} action={<PlainButton onClick={onClear}>{t('search.clear')}</PlainButton>}>
        {t('empty.noMatchText')}
      </EmptyState>
    );
  }
  if (state !== 'any')
    return <EmptyState kind="noMatch" title={t('empty.noState')} action={<PlainButton onClick={onAnyState}>{t('empty.anyState')}</PlainButton>} />;
  if (show === 'archived') return <EmptyState title={t('empty.archived')}>{t('empty.archivedText')}</EmptyState>;
  if (total > 0) {
    return (
      <EmptyState title={t('empty.noActive')} action={<PlainButton onClick={onArchived}>{t('empty.showArchived')}</PlainButton>}>
        {t('empty.noActiveText')}
      </EmptyState>
    );
  }
  if (!mayCreate)
    return (
      <EmptyState kind="noRight" ghost="cards" title={t('empty.noneForMe')}>
        {t('empty.noneForMeText')}
      </EmptyState>
    );
  return (
    <EmptyState ghost="cards" title={t('empty.none')} action={<AddLink />}>
      {t('empty.noneText')}
    </EmptyState>
  );
}
