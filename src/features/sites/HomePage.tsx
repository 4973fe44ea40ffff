import { Suspense, lazy, useDeferredValue, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import { withMessages } from '@/i18n';
import { selectMay } from '@/features/session/sessionSlice';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { useTyped } from '@/lib/useTyped';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import { Kbd } from '@/ui/Kbd';
import { PageHeader } from '@/ui/PageHeader';
import { PlainButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import { HomeBar, homeViews } from './HomeBar';
import { moveFocus } from './moveFocus';
import { SiteCards } from './SiteCards';
import type { SiteListProps } from './SiteCards';
import type { SiteDialog } from './SiteMenuPanel';
import { shows, siteRows, sorts, stateFilters, tagsOf } from './siteRows';
import type { SiteSort, StateFilter } from './siteRows';
import { selectSite, selectSites } from './sitesSlice';
import { useListFocus } from './useListFocus';
import { usePageKeys } from './usePageKeys';
import { useFigures, useOrdering, usePinyin, useSelection } from './useSiteList';
import type { FiguresState } from './useSiteList';
import './sites.css';

const SiteTable = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-table" */ './SiteTable'), ['siteChanges'])));
const ManyCards = lazy(() => import(/* webpackChunkName: "site-changes" */ './ManyCards'));
const Bin = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-table" */ './Bin'), ['siteChanges'])));
const NoSites = lazy(() => withMessages(import(/* webpackChunkName: "site-changes" */ './NoSites'), ['siteChanges']));
const SelectionBar = lazy(() => withMessages(import(/* webpackChunkName: "site-changes" */ './changes/SelectionBar'), ['siteChanges']));
const TagDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-changes" */ './changes/TagDialog'), ['siteChanges'])));
const RenameDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './RenameDialog'), ['form', 'siteChanges'])));
const SuspendDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './SuspendDialog'), ['form', 'siteChanges'])));
const DeleteDialog = lazy(() => withMui(withMessages(import(/* webpackChunkName: "site-dialogs" */ './DeleteDialog'), ['form', 'siteChanges'])));

/** The whole view is in the address. Without `view`, the person's last choice counts. */
const address = {
  q: text(),
  show: oneOf(shows, 'active'),
  state: oneOf(stateFilters, 'any'),
  tag: text(),
  sort: oneOf(sorts, 'visitors'),
  view: oneOf([...homeViews, ''], ''),
};
/** Cards that are rendered without a virtual list, whose code loads only for more. */
const fewCards = 60;

const linksIn = (frame: HTMLElement | null): HTMLElement[] => [...(frame?.querySelectorAll<HTMLElement>('[data-site-link]') ?? [])];

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

const siteDialogs = { rename: RenameDialog, suspend: SuspendDialog, delete: DeleteDialog };

/** The dialog of one site, if that is still there. */
function OpenDialog({ kind, siteId, onClose }: SiteDialog & { readonly onClose: () => void }): ReactElement | null {
  const site = useAppSelector((state) => selectSite(state, siteId));
  if (site === undefined) return null;
  const Dialog = kind === 'tags' ? null : siteDialogs[kind];
  return <Suspense fallback={null}>{Dialog === null ? <TagDialog siteIds={[siteId]} onClose={onClose} /> : <Dialog site={site} onClose={onClose} />}</Suspense>;
}

/** The filter appears once it can exclude anything, and stays while it does; otherwise null. */
const stateFilterOf = (sites: readonly Site[], chosen: StateFilter): StateFilter | null =>
  chosen !== 'any' || new Set(sites.flatMap(({ state }) => (state === 'archived' ? [] : [state]))).size > 1 ? chosen : null;

/** What the address and the typing select of the sites, in order, with what changes it. */
function useView(all: readonly Site[], figures: FiguresState) {
  const { i18n } = useTranslation('sites');
  const [{ q: searched, show, state: chosenState, tag, sort, view: chosenView }, change] = useSearchState(address);
  const [q, setQ] = useTyped(searched, (next) => change({ q: next }, 'replace'));
  const [usualView, remember] = useRemembered('home.view', homeViews, 'cards');
  // A phone has no space for nine columns.
  const onPhone = useMedia(phone);
  const view = onPhone ? 'cards' : chosenView === '' ? usualView : chosenView;
  const { ordering, renew } = useOrdering(all, figures);
  const pinyin = usePinyin(q);
  const [now] = useState(Date.now);
  // Typing does not wait for the list.
  const query = useDeferredValue(q);
  const state = show === 'active' ? stateFilterOf(all, chosenState) : null;
  const rows = siteRows(all, { show, state: state ?? 'any', tag, q: query, sort, figures: ordering, pinyin, locale: i18n.language, now });
  const onView = (next: (typeof homeViews)[number]) => {
    remember(next);
    change({ view: next }, 'replace');
  };
  const onSort = (next: SiteSort) => {
    renew();
    change({ sort: next });
  };
  return { q, setQ, query, show, state, tag, sort, view, onPhone, rows, change, onView, onSort };
}

/** Arrow keys move between the sites, also to those that are not rendered yet; x selects one, Ctrl+A all, Escape none. */
function onListKey(event: KeyboardEvent, frame: HTMLElement | null, selection: SiteListProps['selection'], total: number): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return;
  const id = target.dataset['siteLink'];
  const links = linksIn(frame);
  if (key === 'Escape' && selection.ids.size > 0) selection.clear();
  else if (id === undefined) return;
  else if (key === 'x' && !event.ctrlKey && !event.metaKey) selection.pick(id, event.shiftKey);
  else if (key === 'a' && (event.ctrlKey || event.metaKey)) selection.all();
  else if ((key === 'Home' || key === 'End') && links.length < total) {
    window.scrollTo(0, key === 'End' ? document.documentElement.scrollHeight : 0);
    // The rows there have to be rendered first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        linksIn(frame)
          .at(key === 'End' ? -1 : 0)
          ?.focus(),
      ),
    );
  } else if (!moveFocus(links, target, key)) return;
  event.preventDefault();
}

type FrameProps = {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly focus: ReturnType<typeof useListFocus>;
  readonly selection: SiteListProps['selection'];
  readonly total: number;
  readonly children: ReactNode;
};

/** Around the list and the bar of what is selected. Arrow keys move between the links inside. */
const ListFrame = ({ frame, focus, selection, total, children }: FrameProps): ReactElement => (
  // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
  <div
    ref={frame}
    onFocus={focus.onFocus}
    onBlur={focus.onBlur}
    onKeyDown={(event) => (focus.leave(event) ? event.preventDefault() : onListKey(event, frame.current, selection, total))}
  >
    {children}
  </div>
);

type ListProps = SiteListProps & { readonly view: 'cards' | 'table'; readonly sort: SiteSort; readonly onSort: (sort: SiteSort) => void };

/** Cards or a table. While the code of a long list loads, its beginning is visible. */
function SiteList({ view, sort, onSort, ...list }: ListProps): ReactElement {
  if (view === 'table') return <SiteTable {...list} sort={sort} onSort={onSort} />;
  if (list.sites.length <= fewCards) return <SiteCards {...list} />;
  return (
    <Suspense fallback={<SiteCards {...list} sites={list.sites.slice(0, fewCards)} />}>
      <ManyCards {...list} />
    </Suspense>
  );
}

export function Component(): ReactElement {
  const { t } = useTranslation('sites');
  const navigate = useNavigate();
  const all = useAppSelector(selectSites);
  const mayCreate = useAppSelector((state) => selectMay(state, 'site.create'));
  const [dialog, setDialog] = useState<SiteDialog | null>(null);
  const [tagging, setTagging] = useState<readonly string[] | null>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const figures = useFigures(all.length);
  const { q, setQ, query, show, state, tag, sort, view, onPhone, rows, change, onView, onSort } = useView(all, figures);
  const selection = useSelection(rows);
  const focus = useListFocus(linksIn, frame, selection.ids.size > 0);
  const figuresOf = (site: Site) => figures.byId?.get(site.id) ?? (figures.isFetching && !figures.failed ? undefined : null);
  const addHref = href('home.create.empty');
  usePageKeys({ '/': () => searchBox.current?.focus(), ...(mayCreate && { n: () => void navigate(addHref) }) });

  return (
    <>
      <PageHeader title={t('title')} actions={mayCreate && all.length > 0 && <AddButton />} />
      <HomeBar
        q={q}
        show={show}
        state={state}
        tags={tagsOf(all)}
        tag={tag}
        sort={sort}
        view={onPhone ? null : view}
        searchBox={searchBox}
        onSearch={setQ}
        onShow={(next) => change({ show: next })}
        onState={(next) => change({ state: next })}
        onTag={(next) => change({ tag: next })}
        onSort={onSort}
        onView={onView}
        onLeaveSearch={() => linksIn(frame.current)[0]?.focus()}
      />
      {show !== 'bin' && rows.length > 0 && figures.failed && <FiguresUnavailable retry={figures.retry} retrying={figures.isFetching} />}
      <ListFrame frame={frame} focus={focus} selection={selection} total={rows.length}>
        <Suspense fallback={<RowsSkeleton rows={3} />}>
          {show === 'bin' && <Bin />}
          {show !== 'bin' && rows.length > 0 && (
            <SiteList sites={rows} figuresOf={figuresOf} selection={selection} onDialog={setDialog} view={view} sort={sort} onSort={onSort} />
          )}
          {show !== 'bin' && rows.length === 0 && (
            <NoSites
              total={all.length}
              show={show}
              q={query}
              filtered={(state ?? 'any') !== 'any' || tag !== ''}
              mayCreate={mayCreate}
              onClear={() => setQ('')}
              onUnfilter={() => change({ state: 'any', tag: '' })}
              onArchived={() => change({ show: 'archived' })}
            />
          )}
        </Suspense>
        <Suspense fallback={null}>
          {selection.ids.size > 0 && <SelectionBar rows={rows} selection={selection} onTags={setTagging} onBack={focus.back} />}
        </Suspense>
      </ListFrame>
      <Suspense fallback={null}>
        {tagging !== null && (
          <TagDialog
            siteIds={tagging}
            onClose={() => {
              setTagging(null);
              selection.clear();
            }}
          />
        )}
      </Suspense>
      {dialog !== null && <OpenDialog {...dialog} onClose={() => setDialog(null)} />}
    </>
  );
}
